// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* O_PATH */
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int at_most(int resource, uint64_t bound, uint64_t more) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return errno;
  uint64_t hard = bound + more;
  if (now.rlim_max != RLIM_INFINITY && hard > now.rlim_max) hard = now.rlim_max;
  now.rlim_max = (rlim_t)hard;
  now.rlim_cur = (rlim_t)(bound < hard ? bound : hard);
  return setrlimit(resource, &now) == 0 ? 0 : errno;
}

int process_limit_program(const struct process_limits *limits) {
  int code = at_most(RLIMIT_CORE, 0, 0);
  /* At the soft limit the kernel sends SIGXCPU, which tells why; at the hard one SIGKILL. */
  if (code == 0) code = at_most(RLIMIT_CPU, limits->seconds, 5);
  if (code == 0) code = at_most(RLIMIT_DATA, limits->memory, 0);
  if (code == 0) code = at_most(RLIMIT_FSIZE, limits->file_size, 0);
  if (code == 0) code = at_most(RLIMIT_NOFILE, limits->files, 0);
  umask(077);
  return code;
}

void process_flush_denormals(void) {
#if defined(__SSE__)
  /* Flush to zero, and denormals are zero. */
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" : : "r"(state | (1u << 24)));
#endif
}

#ifdef __linux__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define OWN_ARCHITECTURE 0
#endif

int process_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int process_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

static int allow(int rules, const char *path, uint64_t access) {
  struct landlock_path_beneath_attr rule = {.allowed_access = access};
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return errno;
  int code =
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
  close(rule.parent_fd);
  return code;
}

int process_write_only_in(const char *folder) {
  /* The rights of the first version; later ones only add to them. */
  struct landlock_ruleset_attr wanted = {
      .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                           LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                           LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                           LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM};
  long rules = syscall(SYS_landlock_create_ruleset, &wanted, sizeof wanted, 0);
  if (rules < 0) return errno;
  int code = allow((int)rules, folder, wanted.handled_access_fs);
  if (code == 0) code = allow((int)rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (code == 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) code = errno;
  close((int)rules);
  return code;
}

#define DENY(number)                                             \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),           \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA))

int process_without_network(void) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      /* Calls of another architecture have other numbers. */
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
      /* Calls of the x32 interface repeat the others from this number on. */
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
#endif
      DENY(SYS_socket),
      DENY(SYS_ptrace),
      DENY(SYS_process_vm_readv),
      DENY(SYS_process_vm_writev),
      DENY(SYS_mount),
      DENY(SYS_umount2),
      DENY(SYS_pivot_root),
      DENY(SYS_unshare),
      DENY(SYS_setns),
      DENY(SYS_bpf),
      DENY(SYS_io_uring_setup),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
  if (OWN_ARCHITECTURE == 0) return ENOSYS;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

int process_has_filters(void) {
  /* Without a filter the kernel answers EFAULT where it has them, else EINVAL. */
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

#else

int process_no_new_privileges(void) { return ENOSYS; }
int process_landlock_version(void) { return 0; }
int process_write_only_in(const char *folder) {
  (void)folder;
  return ENOSYS;
}
int process_without_network(void) { return ENOSYS; }
int process_has_filters(void) { return 0; }

#endif
