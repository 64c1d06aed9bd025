// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* O_PATH */
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* The header may be older than the kernel, so everything behind version 1 is stated here
   (Documentation/userspace-api/landlock.rst of the kernel). */
struct ruleset {
  uint64_t handled_access_fs;
  uint64_t handled_access_net; /* version 4 */
  uint64_t scoped;             /* version 6 */
};

#define FS_REFER (1ull << 13)     /* version 2: move to another folder */
#define FS_TRUNCATE (1ull << 14)  /* version 3 */
#define FS_IOCTL_DEV (1ull << 15) /* version 5 */
#define NET_BIND_TCP (1ull << 0)
#define NET_CONNECT_TCP (1ull << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ull << 0)
#define SCOPE_SIGNAL (1ull << 1)

/* Rights that a file has; the others belong to folders. */
#define OF_FILES                                                                  \
  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                   \
   LANDLOCK_ACCESS_FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

static uint64_t handled(int version) {
  uint64_t all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) all |= FS_REFER;
  if (version >= 3) all |= FS_TRUNCATE;
  if (version >= 5) all |= FS_IOCTL_DEV;
  return all;
}

static uint64_t access_for(uint32_t uses) {
  uint64_t access = 0;
  if (uses & PROCESS_READS) access |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  if (uses & PROCESS_RUNS) {
    access |= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
              LANDLOCK_ACCESS_FS_READ_DIR;
  }
  /* Links, devices, pipes and sockets are no outputs. */
  if (uses & PROCESS_WRITES) {
    access |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
              LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
              LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
              LANDLOCK_ACCESS_FS_REMOVE_DIR | FS_REFER | FS_TRUNCATE;
  }
  if (uses & PROCESS_CLEARS) access |= LANDLOCK_ACCESS_FS_REMOVE_DIR;
  return access;
}

static int grant(int rules, const struct process_right *right, uint64_t known) {
  struct landlock_path_beneath_attr rule = {.allowed_access = access_for(right->uses) & known};
  rule.parent_fd = open(right->path, O_PATH | O_CLOEXEC);
  /* What can't be opened now can't be used, and is told of when its turn comes: it isn't there, its links form a ring, or
     its disk doesn't answer. */
  if (rule.parent_fd < 0) return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? errno : 0;
  struct stat facts;
  int code = fstat(rule.parent_fd, &facts) == 0 ? 0 : errno;
  if (code == 0 && !S_ISDIR(facts.st_mode)) rule.allowed_access &= OF_FILES;
  if (code == 0 && rule.allowed_access != 0 &&
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    /* Pipes and sockets behind /proc/self/fd lie in no folder, and Landlock doesn't guard them. */
    code = errno == EBADFD ? 0 : errno;
  }
  close(rule.parent_fd);
  return code;
}

int process_restrict_files(
    const struct process_right *rights, uint64_t count, int version, int network) {
  struct ruleset wanted = {.handled_access_fs = handled(version)};
  if (version >= 4) wanted.handled_access_net = NET_BIND_TCP | (network ? 0 : NET_CONNECT_TCP);
  if (version >= 6) wanted.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
  /* Kernels take a longer structure than they know where the rest of it is zero. */
  long rules = syscall(SYS_landlock_create_ruleset, &wanted, sizeof wanted, 0);
  if (rules < 0) return errno;
  int code = 0;
  for (uint64_t index = 0; index < count && code == 0; index++) {
    code = grant((int)rules, &rights[index], wanted.handled_access_fs);
  }
  if (code == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) code = errno;
  close((int)rules);
  return code;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define OWN_ARCHITECTURE 0
#endif

/* Calls that are refused. This is a list of what is refused, not of what is allowed, because libav, the
   Swift runtime and libc make other calls in each version and on each system: a list of what is allowed
   would break renders with every update, and files and connections are Landlock's part anyway. */
static const int refused[] = {
    /* Other processes. */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    /* Other file systems and namespaces. */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_move_mount,
    SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init, SYS_quotactl, SYS_swapon,
    SYS_swapoff, SYS_acct, 443, 467, /* quotactl_fd, open_tree_attr */
    /* Large parts of the kernel that a renderer has no use for; io_uring makes calls that no filter sees. */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_syslog,
    /* The machine. */
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot,
    SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
    /* A program that lies in memory only would be run past Landlock. */
    SYS_memfd_create, SYS_execveat,
#ifdef SYS_memfd_secret
    SYS_memfd_secret,
#endif
    /* Landlock doesn't guard modes, owners, times and attributes; a descriptor's own stay allowed. */
    SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
    SYS_truncate,
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#else
    452,
#endif
    463, 466, 469, /* setxattrat, removexattrat, file_setattr */
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

#define REFUSED (sizeof refused / sizeof refused[0])
#define LOW(index) (offsetof(struct seccomp_data, args[index]))
#define HIGH(index) (LOW(index) + 4) /* both architectures are little endian */
#define ANSWER(code) (SECCOMP_RET_ERRNO | ((code)&SECCOMP_RET_DATA))
/* New namespaces in clone(2): CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
#define NEW_NAMESPACES 0x7E020000u
/* ioctl(2) that types into the terminal, or pastes to it. */
#define TYPES_INTO_TERMINAL 0x5412u
#define PASTES_INTO_TERMINAL 0x541Cu

struct program {
  struct sock_filter lines[64 + 2 * REFUSED];
  unsigned short length;
};

static void add(struct program *program, struct sock_filter line) {
  program->lines[program->length++] = line;
}

#define STATE(code, value) add(program, (struct sock_filter)BPF_STMT(code, value))
#define JUMP(code, value, yes, no) add(program, (struct sock_filter)BPF_JUMP(code, value, yes, no))
#define LOAD(place) STATE(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(place))
#define RETURN(value) STATE(BPF_RET | BPF_K, (uint32_t)(value))
/* Passes over so many lines unless the number is `value`. */
#define UNLESS(value, lines) JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, lines)

static void check_platform(struct program *program) {
  LOAD(offsetof(struct seccomp_data, arch));
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  /* Calls of another architecture have other numbers. */
  RETURN(SECCOMP_RET_KILL_PROCESS);
  LOAD(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  /* Calls of the x32 interface repeat the others from this number on. */
  JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  RETURN(ANSWER(EPERM));
#endif
}

static void check_sockets(struct program *program, int network) {
  if (!network) {
    UNLESS(SYS_socket, 1);
    RETURN(ANSWER(EACCES));
    return;
  }
  /* A transfer needs the internet, and looking names up needs netlink. By sockets with a path in the file system, which
     Landlock doesn't guard, programs outside could be asked for favours; libc looks names up without them, too. */
  static const int domains[] = {AF_INET, AF_INET6, AF_NETLINK};
  UNLESS(SYS_socket, 6);
  LOAD(LOW(0));
  /* From each one to the last line, past those behind it and the refusal. */
  for (int index = 0; index < 3; index++) {
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)domains[index], (uint8_t)(3 - index), 0);
  }
  RETURN(ANSWER(EACCES));
  RETURN(SECCOMP_RET_ALLOW);
}

static void check_arguments(struct program *program) {
  UNLESS(SYS_clone, 4);
  LOAD(LOW(0));
  JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1);
  RETURN(ANSWER(EPERM));
  RETURN(SECCOMP_RET_ALLOW);
#ifdef SYS_clone3
  /* Its arguments lie in memory, where a filter can't look; without it libc calls clone. */
  UNLESS(SYS_clone3, 1);
  RETURN(ANSWER(ENOSYS));
#endif
  UNLESS(SYS_ioctl, 5);
  LOAD(LOW(1));
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, TYPES_INTO_TERMINAL, 1, 0);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASTES_INTO_TERMINAL, 0, 1);
  RETURN(ANSWER(EPERM));
  RETURN(SECCOMP_RET_ALLOW);
  /* Limits of other processes could end them. */
  UNLESS(SYS_prlimit64, 4);
  LOAD(LOW(0));
  UNLESS(0, 1);
  RETURN(SECCOMP_RET_ALLOW);
  RETURN(ANSWER(EPERM));
  /* Without a path it sets the times of an open file. */
  UNLESS(SYS_utimensat, 6);
  LOAD(LOW(1));
  UNLESS(0, 3);
  LOAD(HIGH(1));
  UNLESS(0, 1);
  RETURN(SECCOMP_RET_ALLOW);
  RETURN(ANSWER(EPERM));
}

/* CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH and CAP_FOWNER of capability.h. */
#define KEPT_CAPABILITIES 0xEu

/* Of the superuser's rights, the calling thread and what it becomes keep those to use files whoever owns
   them. Others are dropped, such as reading the kernel's memory and the environment of any process in /proc.
   Whoever may not drop them has none. */
static void drop_capabilities(void) {
  for (unsigned long number = 0; number < 64; number++) {
    if ((KEPT_CAPABILITIES >> (number & 31) & 1) == 0 || number > 31) {
      prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
    }
  }
  struct __user_cap_header_struct version = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &version, sets) != 0) return;
  for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) {
    uint32_t kept = half == 0 ? KEPT_CAPABILITIES : 0;
    sets[half].effective &= kept;
    sets[half].permitted &= kept;
    sets[half].inheritable &= kept;
  }
  syscall(SYS_capset, &version, sets);
}

int process_restrict_calls(int network) {
  if (OWN_ARCHITECTURE == 0) return ENOSYS;
  drop_capabilities();
  struct program all = {.length = 0};
  struct program *program = &all;
  check_platform(program);
  for (uint64_t index = 0; index < REFUSED; index++) {
    UNLESS(refused[index], 1);
    RETURN(ANSWER(EPERM));
  }
  check_sockets(program, network);
  check_arguments(program);
  RETURN(SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {.len = all.length, .filter = all.lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

int process_is_filtered(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER; }

int process_keeps_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }

void process_close_on_exec(uint32_t first) {
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
  /* CLOSE_RANGE_CLOEXEC: what other threads hold stays open until exec(2) succeeds. */
  if (syscall(SYS_close_range, first, ~0u, 1u << 2) == 0) return;
  long last = sysconf(_SC_OPEN_MAX);
  for (long number = first; number < last && number < 65536; number++) {
    fcntl((int)number, F_SETFD, FD_CLOEXEC);
  }
}

#else

int process_restrict_files(
    const struct process_right *rights, uint64_t count, int version, int network) {
  (void)rights, (void)count, (void)version, (void)network;
  return ENOSYS;
}
int process_restrict_calls(int network) {
  (void)network;
  return ENOSYS;
}
int process_is_filtered(void) { return 0; }
int process_keeps_privileges(void) { return 0; }

void process_close_on_exec(uint32_t first) {
  long last = sysconf(_SC_OPEN_MAX);
  for (long number = first; number < last && number < 65536; number++) {
    fcntl((int)number, F_SETFD, FD_CLOEXEC);
  }
}

#endif

int process_become(const char *path, char *const words[], char *const environment[]) {
  /* The threads of a pool block signals, and a program inherits that. */
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, NULL);
  execve(path, words, environment);
  return errno;
}
