"""How much an isolated agent may use."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class SandboxLimits:
    """The limits of the rule set; going over one loses the game."""

    memory_bytes: int = 2048 * MIB
    threads: int = 4  # the main thread is one of them
    output_bytes: int = MIB  # what it prints, a game
    scratch_bytes: int = 64 * MIB  # its private folder for files, in memory
    scratch_files: int = 4096  # files and folders there
    code_bytes: int = 512 * MIB  # its file or package
    code_files: int = 4096
    stolen_seconds: float = 0.25  # CPU time a game while it is stopped; honest: 0.01
    open_files: int = 64
    start_seconds: float = 30.0  # import, __init__ and reset, off the clock
    close_seconds: float = 5.0  # after a game, off the clock
