"""The page: a server for the games. What the browser needs is in ``hansu/display/static``."""
