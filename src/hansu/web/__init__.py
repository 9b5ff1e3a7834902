"""The page: a server for the games, and what the browser needs, in ``static``."""
