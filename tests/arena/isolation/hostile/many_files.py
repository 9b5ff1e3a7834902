import os

import hansu


class Hostile(hansu.Agent):
    """Empty files take no room on a disk, but the kernel's memory."""

    def act(self, state):
        made = 0
        try:
            for made in range(1_000_000):
                os.close(os.open(f"{made}", os.O_CREAT | os.O_WRONLY))
        except OSError as error:
            raise RuntimeError(f"made {made} files: {error.strerror}") from None
        raise RuntimeError(f"made {made} files")
