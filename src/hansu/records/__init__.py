"""Games on paper: the record of a game, and the file formats it is read from and written to."""
