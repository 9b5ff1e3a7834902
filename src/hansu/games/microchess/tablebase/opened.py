"""The tables that are there: small ones in memory, large ones read block by block."""

import functools
from pathlib import Path

import numpy as np

from hansu.games.microchess.tablebase.building import is_there, make_tables, table_file
from hansu.games.microchess.tablebase.classes import FEWEST, MOST, MaterialClass, material_classes
from hansu.games.microchess.tablebase.files import BLOCK, PLANES, Planes, TableFile
from hansu.games.microchess.tablebase.indexing import Tables

BLOCKS = 256  # of 48 KiB that are kept
OPEN = 64  # files at a time


class Tablebase:
    """All sound tables of a folder.

    ``pieces`` is the largest number of pieces for which every class is there, 0 if there are none.
    The classes with the fewest pieces are loaded, as many numbers of pieces as fit the memory.
    """

    def __init__(self, folder: Path, rules_text: str, memory: int) -> None:
        self.folder, self.rules_text, self.pieces = folder, rules_text, 0
        self._classes: list[MaterialClass] = []
        self._open = functools.lru_cache(OPEN)(self._open_file)
        self._block = functools.lru_cache(BLOCKS)(self._read_block)
        loaded: dict[MaterialClass, Planes] = {}
        size = 0
        for pieces in range(FEWEST, MOST + 1):
            classes = material_classes(pieces)
            if not all(is_there(folder, one, rules_text) for one in classes):
                break
            self.pieces = pieces
            self._classes += classes
            size += PLANES * sum(one.entries for one in classes)
            if size <= memory * 2**20:
                loaded |= {one: self._open(one).planes() for one in classes}
        self.loaded: Tables = make_tables(loaded)
        nothing: Planes = np.zeros((PLANES, 0), np.uint8)
        self.directory: Tables = make_tables(dict.fromkeys(self._classes, nothing))  # places only

    def entry(self, which: int, rights: int, place: int) -> tuple[int, int, int]:
        """Return the entry at a place of a class of the directory; raises HansuError."""
        at = self._classes[which].starts[rights] + place
        mate, own, other = self._block(which, at // BLOCK)[:, at % BLOCK].tolist()
        return mate, own, other

    def _read_block(self, which: int, number: int) -> Planes:
        return self._open(self._classes[which]).block(number)

    def _open_file(self, which: MaterialClass) -> TableFile:
        return TableFile(table_file(self.folder, which), which, self.rules_text)
