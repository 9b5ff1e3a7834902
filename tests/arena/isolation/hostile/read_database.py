import sqlite3

import hansu


class Hostile(hansu.Agent):
    def __init__(self, name, color, path):
        super().__init__(name, color)
        self.path = path

    def act(self, state):
        sqlite3.connect(self.path).execute("delete from games")
