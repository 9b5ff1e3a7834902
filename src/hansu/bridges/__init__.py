"""Our games and agents in other libraries, and theirs here (extra ``bridges``)."""
