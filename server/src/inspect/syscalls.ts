// The system calls that an inspection still makes once its libraries are loaded, by their numbers on each machine. It
// computes on memory, reads and writes open descriptors, runs threads and ends: nothing that names a file, a process
// or an address is here.

export interface Machine {
  /** AUDIT_ARCH_… of linux/audit.h */
  readonly audit: number
  readonly seccomp: number
  /** Answered as unknown, so that the C library takes `clone`, whose flags a filter can see. */
  readonly clone3: number
  readonly clone: number
  readonly mmap: number
  readonly prlimit64: number
  /** Only of an open descriptor: with AT_EMPTY_PATH among the flags, in the argument of this place. */
  readonly stat: readonly (readonly [number: number, flags: number])[]
  readonly fcntl: number
  readonly prctl: number
  readonly exitGroup: number
  /** Only to the process itself, as `abort` does. */
  readonly tgkill: number
  /** Without a look at their arguments; the frequent ones first. */
  readonly plain: readonly number[]
}

/** Of the same number everywhere. */
export const landlock = { create: 444, restrict: 446 } as const

const x64: Machine = {
  audit: 0xc000003e,
  seccomp: 317,
  clone3: 435,
  clone: 56,
  mmap: 9,
  prlimit64: 302,
  stat: [
    [262, 3], // newfstatat
    [332, 2], // statx
  ],
  fcntl: 72,
  prctl: 157,
  exitGroup: 231,
  tgkill: 234,
  plain: [
    202, // futex
    0, // read
    1, // write
    17, // pread64
    18, // pwrite64
    11, // munmap
    10, // mprotect
    28, // madvise
    12, // brk
    25, // mremap
    281, // epoll_pwait
    232, // epoll_wait
    233, // epoll_ctl
    7, // poll
    271, // ppoll
    24, // sched_yield
    228, // clock_gettime
    230, // clock_nanosleep
    35, // nanosleep
    96, // gettimeofday
    13, // rt_sigaction
    14, // rt_sigprocmask
    15, // rt_sigreturn
    131, // sigaltstack
    219, // restart_syscall
    5, // fstat
    8, // lseek
    19, // readv
    20, // writev
    295, // preadv
    296, // pwritev
    77, // ftruncate
    3, // close
    318, // getrandom
    324, // membarrier
    309, // getcpu
    204, // sched_getaffinity
    27, // mincore
    39, // getpid
    186, // gettid
    102, // getuid
    104, // getgid
    107, // geteuid
    108, // getegid
    98, // getrusage
    99, // sysinfo
    63, // uname
    97, // getrlimit
    201, // time
    229, // clock_getres
    273, // set_robust_list
    334, // rseq
    218, // set_tid_address
    158, // arch_prctl
    329, // pkey_mprotect
    330, // pkey_alloc
    331, // pkey_free
    60, // exit
    231, // exit_group
  ],
}

const arm64: Machine = {
  audit: 0xc00000b7,
  seccomp: 277,
  clone3: 435,
  clone: 220,
  mmap: 222,
  prlimit64: 261,
  stat: [
    [79, 3],
    [291, 2],
  ],
  fcntl: 25,
  prctl: 167,
  exitGroup: 94,
  tgkill: 131,
  // The same ones in the same order, as far as this machine has them.
  plain: [
    98, 63, 64, 67, 68, 215, 226, 233, 214, 216, 22, 21, 73, 124, 113, 115, 101, 169, 134, 135, 139, 132, 128, 80, 62,
    65, 66, 69, 70, 46, 57, 278, 283, 168, 123, 232, 172, 178, 174, 176, 175, 177, 165, 179, 160, 163, 114, 99, 293, 96,
    288, 289, 290, 93, 94,
  ],
}

export const machine: Machine | undefined = { x64, arm64 }[process.arch as string]
