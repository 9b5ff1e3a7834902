"""``python -m hansu`` is the command line too."""

from hansu.cli.main import main

main()
