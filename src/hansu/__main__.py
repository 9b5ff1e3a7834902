"""``hansu`` and ``python -m hansu``: the command line, which can be interrupted from the start."""

import sys


def main() -> None:
    """Run it; who stops it while it is still loading sees no traceback either."""
    try:
        from hansu.cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
