"""How many file descriptors this process may have, and so how many connections."""

import contextlib

RESERVED = 256  # for files, agents' processes and connections that are about to be refused
ENOUGH = 16_384


def most_connections() -> int:
    """Return for how many connections there are descriptors, after raising the limit."""
    try:
        import resource
    except ImportError:  # Windows counts otherwise
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    soft = ENOUGH if soft == resource.RLIM_INFINITY else min(soft, ENOUGH)
    return max(soft // 4, soft - RESERVED)
