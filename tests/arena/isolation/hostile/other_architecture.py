import ctypes
import mmap
import threading
import time

import hansu


class Hostile(hansu.Agent):
    """A call of the 32-bit kernel in a second thread: that thread alone must not be what ends."""

    def act(self, state):
        code = bytes.fromhex("b814000000cd80c3")  # mov eax, 20 (getpid); int 0x80; ret
        page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
        page.write(code)
        call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        threading.Thread(target=call).start()
        time.sleep(0.5)
        return next(iter(state.legal_moves))
