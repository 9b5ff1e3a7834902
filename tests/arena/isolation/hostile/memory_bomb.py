import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        hoard = []
        while True:
            hoard.append(bytearray(1 << 26))
