import mmap

import hansu


class Hostile(hansu.Agent):
    def act(self, state):
        hoard = []
        while True:  # shared memory does not count as data of the process
            hoard.append(mmap.mmap(-1, 1 << 26))
            hoard[-1].write(bytes(1 << 26))
