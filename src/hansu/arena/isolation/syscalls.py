"""The system-call filter: what numerical Python needs is allowed, attacks kill, the rest is absent.

A call that is in no list fails with ENOSYS, as on a kernel that does not have it, so that
libraries fall back to something older. A call of ``FATAL`` kills the process: the agent loses.
Starting a process (``REFUSED``) fails with EPERM: honest libraries try, and do without.

Nothing allowed here lets a process wake itself up while it is stopped: no call that makes the
kernel send a signal of the caller's choice (POSIX timers, ``F_SETSIG``, ``F_NOTIFY``, leases,
message queues, asynchronous I/O, ``PR_SET_PDEATHSIG``), and no sending of SIGCONT.
"""

import errno
import functools
import signal
import tempfile
from typing import Any

FATAL = """
socket connect bind listen accept accept4
ptrace process_vm_readv process_vm_writev kcmp pidfd_open pidfd_getfd pidfd_send_signal tkill
rt_sigqueueinfo rt_tgsigqueueinfo
mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
open_by_handle_at name_to_handle_at unshare setns quotactl swapon swapoff acct
kexec_load kexec_file_load init_module finit_module delete_module reboot
keyctl add_key request_key perf_event_open bpf userfaultfd
setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset
settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname iopl ioperm syslog
""".split()  # noqa: SIM905 - a page of names reads better without quotes

REFUSED = ("fork", "vfork")
EXEC = ("execve", "execveat")  # a program may become another one; an agent in Python stays itself

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range
open openat creat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat
getdents getdents64 getcwd chdir fchdir dup dup2 dup3 pipe pipe2 statfs fstatfs
truncate ftruncate fallocate fsync fdatasync sync_file_range fadvise64 copy_file_range sendfile
rename renameat renameat2 mkdir mkdirat rmdir unlink unlinkat link linkat symlink symlinkat
chmod fchmod fchmodat umask utime utimes utimensat futimesat
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd
eventfd2 timerfd_create timerfd_settime timerfd_gettime
mmap munmap mprotect mremap madvise msync mincore brk mlock munlock
futex set_robust_list get_robust_list rseq membarrier set_tid_address arch_prctl gettid
sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler
sched_get_priority_min sched_get_priority_max getpriority getcpu
getpid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage sysinfo
uname getrandom getrlimit setrlimit prlimit64 wait4 waitid
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
restart_syscall pause alarm setitimer getitimer exit exit_group
""".split()  # noqa: SIM905 - a page of names reads better without quotes

CLONE_THREAD = 0x00010000
CLONE_NEW = 0x7E020080  # every flag that makes a namespace
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41
F_GETPIPE_SZ = 1032
SOME = {  # calls of which only some commands are allowed: the number of the argument, the commands
    # Duplicates, flags, locks; not: owners and signals, leases, bigger pipes, who holds a lock.
    "fcntl": (1, (0, 1, 2, 3, 4, 6, 7, 37, 38, 1030, F_GETPIPE_SZ)),
    # Is it a terminal, and of what size; bytes that wait; (non-)blocking; close on exec.
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    "prctl": (0, (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA)),  # not: outliving the arena
}


@functools.cache
def load_seccomp() -> Any:
    """The seccomp binding, or None where it or its library is missing."""
    try:
        import pyseccomp

        return pyseccomp
    except (ImportError, OSError, RuntimeError):
        return None


@functools.cache
def filter_program(own_pid: int, may_exec: bool = False) -> bytes:
    """The filter as the kernel takes it, for a process that may signal nobody but itself."""
    sc = load_seccomp()
    program = sc.SyscallFilter(sc.ERRNO(errno.ENOSYS))
    # Calls of another architecture (int 0x80): libseccomp would end the calling thread only.
    program.set_attr(sc.Attr.ACT_BADARCH, sc.KILL_PROCESS)
    refuse = sc.ERRNO(errno.EPERM)
    exec_action = sc.ALLOW if may_exec else refuse
    for action, names in (
        *((sc.KILL_PROCESS, FATAL), (refuse, REFUSED), (sc.ALLOW, ALLOWED)),
        (exec_action, EXEC),
    ):
        for name in names:
            if sc.resolve_syscall(sc.Arch.NATIVE, name) >= 0:  # else this machine has no such call
                program.add_rule(action, name)
    # Agents see the same files of the machine: a lock would tell one of the other. What an agent
    # can write nobody else has, so it always gets the lock.
    program.add_rule(sc.ERRNO(0), "flock")
    thread = CLONE_THREAD | CLONE_NEW
    program.add_rule(sc.ALLOW, "clone", sc.Arg(0, sc.MASKED_EQ, thread, CLONE_THREAD))
    program.add_rule(refuse, "clone", sc.Arg(0, sc.MASKED_EQ, CLONE_THREAD, 0))
    for name, (place, commands) in SOME.items():
        for command in commands:
            program.add_rule(sc.ALLOW, name, sc.Arg(place, sc.EQ, command))
    for name, place in (("kill", 1), ("tgkill", 2)):
        # Equality, number by number: the kernel drops the upper half of an argument, so a rule
        # "not SIGCONT" could be passed by a number that ends in SIGCONT.
        for number in set(range(65)) - {int(signal.SIGCONT)}:
            own = sc.Arg(0, sc.EQ, own_pid), sc.Arg(place, sc.EQ, number)
            program.add_rule(sc.ALLOW, name, *own)
        program.add_rule(sc.KILL_PROCESS, name, sc.Arg(0, sc.NE, own_pid))
    with tempfile.TemporaryFile() as file:
        program.export_bpf(file)
        file.seek(0)
        return file.read()
