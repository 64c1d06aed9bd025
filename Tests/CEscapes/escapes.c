// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CEscapes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the ways lead. */
struct places {
  const char *outside;
  const char *inside;
  char path[4096];
};

static const char *out(struct places *places, const char *name) {
  snprintf(places->path, sizeof places->path, "%s/%s", places->outside, name);
  return places->path;
}

static int opened(const char *path, int flags) {
  int descriptor = open(path, flags | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

static int result(long answer) { return answer >= 0 ? 0 : errno; }

static int read_file(struct places *p) { return opened(out(p, "secret"), O_RDONLY); }
static int list_folder(struct places *p) { return opened(out(p, ""), O_RDONLY | O_DIRECTORY); }
static int write_file(struct places *p) { return opened(out(p, "written"), O_WRONLY); }
static int make_file(struct places *p) { return opened(out(p, "made"), O_WRONLY | O_CREAT); }
static int make_folder(struct places *p) { return result(mkdir(out(p, "folder"), 0700)); }
static int remove_file(struct places *p) { return result(unlink(out(p, "removed"))); }
static int remove_folder(struct places *p) { return result(rmdir(out(p, "empty"))); }

static int read_by_link(struct places *p) {
  /* The test has put a symbolic link there that leads to the secret. */
  char path[4096];
  snprintf(path, sizeof path, "%s/link", p->inside);
  return opened(path, O_RDONLY);
}

static int read_by_up(struct places *p) {
  char path[4200];
  snprintf(path, sizeof path, "%s/../../../../../../../../../..%s", p->inside, out(p, "secret"));
  return opened(path, O_RDONLY);
}

static int read_in_folder(struct places *p) {
  int folder = open(p->outside, O_PATH | O_CLOEXEC);
  if (folder < 0) return errno;
  int descriptor = openat(folder, "secret", O_RDONLY);
  int code = descriptor < 0 ? errno : 0;
  close(folder);
  if (descriptor >= 0) close(descriptor);
  return code;
}

static int read_as_root_folder(struct places *p) {
  if (chdir(p->outside) != 0) return errno;
  int code = opened("secret", O_RDONLY);
  return chdir("/") == 0 ? code : errno;
}

static int link_in(struct places *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/hard", p->inside);
  return result(link(out(p, "secret"), path));
}

static int move_in(struct places *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/moved", p->inside);
  return result(rename(out(p, "moved"), path));
}

static int move_out(struct places *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/mine", p->inside);
  opened(path, O_WRONLY | O_CREAT);
  return result(rename(path, out(p, "brought")));
}

static int make_link(struct places *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/symbolic", p->inside);
  return result(symlink("/etc/passwd", path));
}

static int make_pipe(struct places *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/pipe", p->inside);
  return result(mkfifo(path, 0600));
}

static int truncate_path(struct places *p) { return result(truncate(out(p, "emptied"), 0)); }
static int truncate_open(struct places *p) { return opened(out(p, "opened"), O_RDONLY | O_TRUNC); }
static int change_mode(struct places *p) { return result(chmod(out(p, "moded"), 0777)); }
static int change_owner(struct places *p) {
  return result(chown(out(p, "moded"), getuid(), getgid()));
}
static int change_times(struct places *p) {
  return result(utimensat(AT_FDCWD, out(p, "moded"), NULL, 0));
}

static int open_socket(int domain, int type) {
  int descriptor = socket(domain, type, 0);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

static int tcp(struct places *p) { return (void)p, open_socket(AF_INET, SOCK_STREAM); }
static int udp(struct places *p) { return (void)p, open_socket(AF_INET6, SOCK_DGRAM); }
static int local(struct places *p) { return (void)p, open_socket(AF_UNIX, SOCK_STREAM); }

/* No memory has this number, which only a call that is let through finds out. */
static int attach(struct places *p) {
  (void)p;
  return shmat(-1, NULL, 0) == (void *)-1 && errno == EPERM ? EPERM : 0;
}

static int limit_parent(struct places *p) {
  struct rlimit limit;
  return (void)p, result(prlimit(getppid(), RLIMIT_CORE, NULL, &limit));
}

static int run(const char *path) {
  char *words[] = {(char *)path, NULL};
  char *nothing[] = {NULL};
  pid_t pid;
  int code = posix_spawn(&pid, path, NULL, NULL, words, nothing);
  if (code != 0) return code;
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ECHILD;
}

static int copy(const char *from, int target) {
  int source = open(from, O_RDONLY | O_CLOEXEC);
  if (source < 0) return errno;
  char bytes[65536];
  ssize_t got;
  while ((got = read(source, bytes, sizeof bytes)) > 0) {
    if (write(target, bytes, (size_t)got) != got) break;
  }
  close(source);
  return got == 0 ? 0 : EIO;
}

static int run_program(struct places *p) { return (void)p, run("/usr/bin/true"); }

/* The test has put a program beside the link. */
static int run_own(struct places *p) {
  char from[4096], to[4096];
  snprintf(from, sizeof from, "%s/program", p->inside);
  snprintf(to, sizeof to, "%s/copied", p->inside);
  int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  if (target < 0) return errno;
  int code = copy(from, target);
  close(target);
  return code == 0 ? run(to) : code;
}

#ifdef __linux__

#include <linux/sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

static int run_memory(struct places *p) {
  char from[4096], path[64];
  snprintf(from, sizeof from, "%s/program", p->inside);
  int target = (int)syscall(SYS_memfd_create, "program", 0);
  if (target < 0) return errno;
  int code = copy(from, target);
  snprintf(path, sizeof path, "/proc/self/fd/%d", target);
  if (code == 0) code = run(path);
  close(target);
  return code;
}

static void *read_there(void *places) { return (void *)(intptr_t)read_file(places); }

static int read_by_thread(struct places *p) {
  pthread_t thread;
  void *code = NULL;
  if (pthread_create(&thread, NULL, read_there, p) != 0) return EAGAIN;
  pthread_join(thread, &code);
  return (int)(intptr_t)code;
}

static int read_by_child(struct places *p) {
  pid_t pid = fork();
  if (pid < 0) return errno;
  if (pid == 0) _exit(read_file(p));
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

static int read_parent(struct places *p) {
  snprintf(p->path, sizeof p->path, "/proc/%d/environ", getppid());
  int descriptor = open(p->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  char byte;
  ssize_t got = read(descriptor, &byte, 1);
  int code = got >= 0 ? 0 : errno;
  close(descriptor);
  return code;
}

static int read_memory(struct places *p) {
  (void)p;
  char here[16];
  struct iovec own = {here, sizeof here}, other = {&here, sizeof here};
  long got = syscall(SYS_process_vm_readv, getppid(), &own, 1, &other, 1, 0);
  return got < 0 && errno != EFAULT ? errno : 0;
}

static int trace(struct places *p) {
  (void)p;
  if (ptrace(PTRACE_SEIZE, getppid(), 0, 0) < 0) return errno;
  ptrace(PTRACE_DETACH, getppid(), 0, 0);
  return 0;
}

static int signal_parent(struct places *p) { return (void)p, result(kill(getppid(), 0)); }

static int new_user(struct places *p) { return (void)p, result(syscall(SYS_unshare, CLONE_NEWUSER)); }

static int clone_user(struct places *p) {
  (void)p;
  long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  if (pid < 0) return errno;
  waitpid((pid_t)pid, NULL, 0);
  return 0;
}

static int clone_anew(struct places *p) {
  (void)p;
  struct clone_args facts;
  memset(&facts, 0, sizeof facts);
  facts.flags = CLONE_NEWUSER;
  facts.exit_signal = SIGCHLD;
  long pid = syscall(SYS_clone3, &facts, sizeof facts);
  if (pid == 0) _exit(0);
  if (pid < 0) return errno;
  waitpid((pid_t)pid, NULL, 0);
  return 0;
}

static int mount_here(struct places *p) {
  if (mount("none", p->inside, "tmpfs", 0, NULL) != 0) return errno;
  umount(p->inside);
  return 0;
}

static int change_root(struct places *p) { return result(chroot(p->inside)); }
/* With impossible arguments each of these answers EINVAL, EFAULT or the like, unless it is refused. */
static int refused(long answer) { return answer < 0 && errno == EPERM ? EPERM : 0; }
static int load_filter(struct places *p) { return (void)p, refused(syscall(SYS_bpf, 999, 0, 0)); }
static int ring(struct places *p) { return (void)p, refused(syscall(SYS_io_uring_setup, 0, 0)); }
static int key(struct places *p) { return (void)p, refused(syscall(SYS_keyctl, 999, 0, 0, 0, 0)); }
static int faults(struct places *p) { return (void)p, refused(syscall(SYS_userfaultfd, ~0)); }
static int count_events(struct places *p) {
  return (void)p, refused(syscall(SYS_perf_event_open, 0, 0, 0, 0, ~0ul));
}
static int handle(struct places *p) {
  return (void)p, refused(syscall(SYS_open_by_handle_at, -1, 0, 0));
}
static int module(struct places *p) {
  return (void)p, refused(syscall(SYS_finit_module, -1, 0, ~0));
}
static int share(struct places *p) { return (void)p, refused(syscall(SYS_shmget, 1, 0, 0)); }
static int type(struct places *p) {
  return (void)p, refused(ioctl(STDIN_FILENO, TIOCSTI, "x"));
}
static int descriptor_of(struct places *p) {
  return (void)p, refused(syscall(SYS_pidfd_getfd, -1, 0, 0));
}

#endif

struct way {
  const char *name;
  int version;
  int is_open;
  int (*go)(struct places *);
};

static const struct way ways[] = {
    {"reads a file", 1, 1, read_file},
    {"lists a folder", 1, 1, list_folder},
    {"reads by a symbolic link", 1, 1, read_by_link},
    {"reads by a path that goes up", 1, 1, read_by_up},
    {"reads in an open folder", 1, 1, read_in_folder},
    {"reads from another working folder", 1, 1, read_as_root_folder},
    {"writes a file", 1, 1, write_file},
    {"makes a file", 1, 1, make_file},
    {"makes a folder", 1, 1, make_folder},
    {"removes a file", 1, 1, remove_file},
    {"removes a folder", 1, 1, remove_folder},
    {"links a file in", 1, 1, link_in},
    {"moves a file in", 1, 1, move_in},
    {"moves a file out", 1, 1, move_out},
    {"makes a symbolic link", 1, 1, make_link},
    {"makes a pipe", 1, 1, make_pipe},
    {"empties a file by path", 0, 1, truncate_path},
    {"empties a file by opening", 1, 1, truncate_open},
    {"changes a mode", 0, 1, change_mode},
    {"changes an owner", 0, 1, change_owner},
    {"changes times", 0, 1, change_times},
    {"opens a TCP socket", 0, 1, tcp},
    {"opens a UDP socket", 0, 1, udp},
    {"opens a local socket", 0, 1, local},
    {"attaches shared memory", 0, 1, attach},
    {"asks for its parent's limits", 0, 1, limit_parent},
    {"runs a program", 1, 1, run_program},
    {"runs a program that it wrote", 1, 1, run_own},
#ifdef __linux__
    {"runs a program in memory", 0, 1, run_memory},
    {"reads by a thread", 1, 1, read_by_thread},
    {"reads by a child", 1, 1, read_by_child},
    {"reads its parent's environment", 1, 1, read_parent},
    {"reads its parent's memory", 0, 1, read_memory},
    {"traces its parent", 0, 0, trace},
    {"signals its parent", 6, 1, signal_parent},
    {"clones into a namespace", 0, 0, clone_user},
    {"clones anew into a namespace", 0, 0, clone_anew},
    {"mounts", 0, 0, mount_here},
    {"loads a filter into the kernel", 0, 0, load_filter},
    {"makes calls by a ring", 0, 0, ring},
    {"uses the kernel's keys", 0, 0, key},
    {"handles page faults", 0, 0, faults},
    {"counts events", 0, 0, count_events},
    {"opens by handle", 0, 0, handle},
    {"loads a module", 0, 0, module},
    {"shares memory", 0, 0, share},
    {"types into the terminal", 0, 0, type},
    {"takes a descriptor", 0, 0, descriptor_of},
    /* These two would help the ones behind them, so they come last. */
    {"enters a namespace", 0, 0, new_user},
    {"changes its root", 0, 0, change_root},
#endif
};

int escape_count(void) { return (int)(sizeof ways / sizeof ways[0]); }
const char *escape_name(int index) { return ways[index].name; }
int escape_version(int index) { return ways[index].version; }
int escape_is_open(int index) { return ways[index].is_open; }

int escape_try(int index, const char *outside, const char *inside) {
  struct places places = {.outside = outside, .inside = inside};
  errno = 0;
  return ways[index].go(&places);
}
