"""``hansu`` and ``python -m hansu``: the command line, which can be interrupted from the start."""

import os
import sys


def main() -> None:
    """Run it; who stops it while it is still loading sees no traceback either."""
    if sys.argv[1:2] == ["compete"]:
        # Games keep all cores busy: BLAS threads of a small matrix would wait for each other,
        # and the draw takes twenty times as long. NumPy reads this when it is loaded.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from hansu.cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    # ``python -m`` looks for modules in the current folder first, where agents of others may lie.
    if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
        del sys.path[0]
    main()
