"""``hansu`` and ``python -m hansu``: the command line, which can be interrupted from the start."""

import os
import sys


def main() -> None:
    """Run it; who stops it while it is still loading sees no traceback either."""
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
