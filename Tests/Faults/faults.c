// SPDX-License-Identifier: Apache-2.0
/*
 * A library for LD_PRELOAD that makes one call into the C library fail.
 *
 * faults.py gives it a kind of call, a number n and an error through the environment. The n-th call of that kind, counted
 * over all threads and child processes of the job from the start of main(), returns that error. Every other call goes
 * to the C library. Counters live in a file that all processes of the job map, so that exactly one call fails.
 *
 *   FAULTS_STATE   file with struct state, made by the driver
 *   FAULTS_KIND    number of a kind, or -1 to count only
 *   FAULTS_NUMBER  n, from 1
 *   FAULTS_ERROR   errno, or 0 for a transfer of half the bytes
 *   FAULTS_ROOT    only calls about files in this folder, files without a name, and pipes count; empty: all calls count
 *   FAULTS_BLOCKS  names of shared objects, separated by colons, whose requests for memory count
 *   FAULTS_TRACE   file that the calls which led to the failure are written to
 *
 * Not seen: calls that the C library makes itself (stdio, opendir, posix_spawn), and system calls without a wrapper.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The order is that of KINDS in faults.py. */
enum kind {
  OPEN, CREATE, READ, WRITE, SYNC, RENAME, LINK, UNLINK, FOLDER, MAP, SPAWN, PIPE, POLL, TRUNCATE, STATUS, LOCK, DUPLICATE, MEMORY,
  KINDS
};

struct state {
  atomic_uint count[32];
  atomic_uint fired;
  char call[256];
};

struct range {
  uintptr_t first, end;
};

static struct state *state;
static struct range ranges[256];
static int range_count;
static int wanted_kind = -1, wanted_error;
static unsigned wanted_number;
static char root[4096];
static size_t root_length;
static atomic_bool active;

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Writes the names of the functions that led here. */
static void trace(void) {
  const char *file = getenv("FAULTS_TRACE");
  if (!file) return;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  void *frames[40];
  backtrace_symbols_fd(frames, backtrace(frames, 40), descriptor);
  syscall(SYS_close, descriptor);
}

/* The library's function that the program called, on whose way memory was asked for. */
static const char *entrance(void) {
  void *frames[40];
  int count = backtrace(frames, 40);
  const char *name = "";
  for (int i = 2; i < count; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname || strstr(info.dli_fname, ".so") == NULL) break;
    if (info.dli_sname) name = info.dli_sname;
  }
  return name;
}

/* Whether the call, which is one of `kind`, is the one that has to fail. */
static int strike(enum kind kind, const char *call, const char *path) {
  unsigned number = atomic_fetch_add(&state->count[kind], 1) + 1;
  if ((int)kind != wanted_kind || number != wanted_number) return 0;
  atomic_store(&state->fired, (unsigned)getpid());
  snprintf(state->call, sizeof state->call, "%s %s", call, path ? path : kind == MEMORY ? entrance() : "");
  trace();
  return 1;
}

static int is_own_path(const char *path) {
  if (root_length == 0) return 1;
  if (!path || path[0] != '/') return path != NULL;
  return strncmp(path, root, root_length) == 0;
}

/* Where the descriptor leads to; the C library isn't called, so that errno and its locks stay as they are. */
static int place(int descriptor, char *path, size_t room) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  int saved = errno;
  long count = syscall(SYS_readlinkat, AT_FDCWD, link, path, room - 1);
  errno = saved;
  path[count > 0 ? count : 0] = 0;
  return count > 0;
}

/* What standard output and standard error take isn't disturbed: the messages are what is judged. */
static int strikes_descriptor(enum kind kind, const char *call, int descriptor) {
  if (!atomic_load_explicit(&active, memory_order_relaxed)) return 0;
  if (kind == WRITE && (descriptor == 1 || descriptor == 2)) return 0;
  char path[4096];
  if (!place(descriptor, path, sizeof path)) return 0;
  if (path[0] == '/' && !is_own_path(path)) return 0;
  return strike(kind, call, path);
}

static int strikes_path(enum kind kind, const char *call, int folder, const char *path) {
  if (!atomic_load_explicit(&active, memory_order_relaxed)) return 0;
  if (path && path[0] != '/' && folder != AT_FDCWD) {
    char parent[4096];
    if (place(folder, parent, sizeof parent) && !is_own_path(parent)) return 0;
  } else if (!is_own_path(path)) {
    return 0;
  }
  return strike(kind, call, path);
}

static int strikes(enum kind kind, const char *call) {
  return atomic_load_explicit(&active, memory_order_relaxed) && strike(kind, call, NULL);
}

/* Memory counts where one of the chosen shared objects asks for it. */
static int strikes_memory(const char *call, void *caller) {
  if (!atomic_load_explicit(&active, memory_order_relaxed)) return 0;
  for (int i = 0; i < range_count; i++)
    if ((uintptr_t)caller >= ranges[i].first && (uintptr_t)caller < ranges[i].end) return strike(MEMORY, call, NULL);
  return 0;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *names) {
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  if (name[0] == 0) name = "program";
  char copy[1024];
  snprintf(copy, sizeof copy, "%s", (const char *)names);
  for (char *rest = copy, *wanted; (wanted = strsep(&rest, ":"));) {
    if (wanted[0] == 0 || strncmp(name, wanted, strlen(wanted)) != 0) continue;
    for (int i = 0; i < info->dlpi_phnum && range_count < 256; i++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[i];
      if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
      uintptr_t first = info->dlpi_addr + part->p_vaddr;
      ranges[range_count++] = (struct range){first, first + part->p_memsz};
    }
    break;
  }
  return 0;
}

static void begin(void) {
  const char *file = getenv("FAULTS_STATE");
  if (!file) return;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (descriptor < 0) return;
  void *map = (void *)syscall(SYS_mmap, NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  syscall(SYS_close, descriptor);
  if (map == MAP_FAILED) return;
  state = map;
  wanted_kind = atoi(getenv("FAULTS_KIND") ?: "-1");
  wanted_number = (unsigned)atoi(getenv("FAULTS_NUMBER") ?: "0");
  wanted_error = atoi(getenv("FAULTS_ERROR") ?: "0");
  snprintf(root, sizeof root, "%s", getenv("FAULTS_ROOT") ?: "");
  root_length = strlen(root);
  const char *blocks = getenv("FAULTS_BLOCKS");
  if (blocks) dl_iterate_phdr(note_object, (void *)blocks);
  atomic_store(&active, 1);
}

/* Faults begin where main() does: what the loader and initialisers do isn't the program's. */
static int (*program)(int, char **, char **);

static int run(int count, char **words, char **environment) {
  begin();
  return program(count, words, environment);
}

int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
    void (*end)(void), void *stack) {
  __typeof__(&__libc_start_main) real = dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return real(run, count, words, init, fini, end, stack);
}

#define FAIL(value) \
  do { \
    errno = wanted_error; \
    return (value); \
  } while (0)

/* Files and folders */

#define MODE(flags) \
  mode_t mode = 0; \
  if (opening(flags) == CREATE) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

/* Only a call that makes a file finds a full disk. */
static enum kind opening(int flags) { return flags & (O_CREAT | (__O_TMPFILE & ~O_DIRECTORY)) ? CREATE : OPEN; }

#define OPEN_CALL(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    MODE(flags); \
    if (strikes_path(opening(flags), #name, AT_FDCWD, path)) FAIL(-1); \
    return real(path, flags, mode); \
  }
OPEN_CALL(open)
OPEN_CALL(open64)

#define OPENAT_CALL(name) \
  int name(int folder, const char *path, int flags, ...) { \
    REAL(name); \
    MODE(flags); \
    if (strikes_path(opening(flags), #name, folder, path)) FAIL(-1); \
    return real(folder, path, flags, mode); \
  }
OPENAT_CALL(openat)
OPENAT_CALL(openat64)

#define PATH_CALL(result, name, kind, fail, parameters, arguments) \
  result name parameters { \
    REAL(name); \
    if (strikes_path(kind, #name, AT_FDCWD, path)) FAIL(fail); \
    return real arguments; \
  }
PATH_CALL(int, creat, CREATE, -1, (const char *path, mode_t mode), (path, mode))
PATH_CALL(int, creat64, CREATE, -1, (const char *path, mode_t mode), (path, mode))
PATH_CALL(int, mkstemp, CREATE, -1, (char *path), (path))
PATH_CALL(int, mkstemp64, CREATE, -1, (char *path), (path))
PATH_CALL(FILE *, fopen, OPEN, NULL, (const char *path, const char *mode), (path, mode))
PATH_CALL(FILE *, fopen64, OPEN, NULL, (const char *path, const char *mode), (path, mode))
PATH_CALL(DIR *, opendir, OPEN, NULL, (const char *path), (path))
PATH_CALL(int, mkdir, FOLDER, -1, (const char *path, mode_t mode), (path, mode))
PATH_CALL(char *, mkdtemp, FOLDER, NULL, (char *path), (path))
PATH_CALL(int, rename, RENAME, -1, (const char *path, const char *next), (path, next))
PATH_CALL(int, link, LINK, -1, (const char *path, const char *next), (path, next))
PATH_CALL(int, unlink, UNLINK, -1, (const char *path), (path))
PATH_CALL(int, remove, UNLINK, -1, (const char *path), (path))
PATH_CALL(int, rmdir, UNLINK, -1, (const char *path), (path))
PATH_CALL(int, truncate, TRUNCATE, -1, (const char *path, off_t length), (path, length))
PATH_CALL(int, stat, STATUS, -1, (const char *path, struct stat *facts), (path, facts))
PATH_CALL(int, stat64, STATUS, -1, (const char *path, struct stat64 *facts), (path, facts))
PATH_CALL(int, lstat, STATUS, -1, (const char *path, struct stat *facts), (path, facts))
PATH_CALL(int, lstat64, STATUS, -1, (const char *path, struct stat64 *facts), (path, facts))
PATH_CALL(int, access, STATUS, -1, (const char *path, int mode), (path, mode))

#define PATHAT_CALL(name, kind, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    if (strikes_path(kind, #name, folder, path)) FAIL(-1); \
    return real arguments; \
  }
PATHAT_CALL(mkdirat, FOLDER, (int folder, const char *path, mode_t mode), (folder, path, mode))
PATHAT_CALL(renameat, RENAME, (int folder, const char *path, int other, const char *next), (folder, path, other, next))
PATHAT_CALL(
    renameat2, RENAME, (int folder, const char *path, int other, const char *next, unsigned flags),
    (folder, path, other, next, flags))
PATHAT_CALL(
    linkat, LINK, (int folder, const char *path, int other, const char *next, int flags), (folder, path, other, next, flags))
PATHAT_CALL(unlinkat, UNLINK, (int folder, const char *path, int flags), (folder, path, flags))
PATHAT_CALL(fstatat, STATUS, (int folder, const char *path, struct stat *facts, int flags), (folder, path, facts, flags))
PATHAT_CALL(
    fstatat64, STATUS, (int folder, const char *path, struct stat64 *facts, int flags), (folder, path, facts, flags))
PATHAT_CALL(faccessat, STATUS, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags))

/* Descriptors */

#define DESCRIPTOR_CALL(result, name, kind, fail, parameters, arguments) \
  result name parameters { \
    REAL(name); \
    if (strikes_descriptor(kind, #name, descriptor)) FAIL(fail); \
    return real arguments; \
  }
DESCRIPTOR_CALL(int, fsync, SYNC, -1, (int descriptor), (descriptor))
DESCRIPTOR_CALL(int, fdatasync, SYNC, -1, (int descriptor), (descriptor))
DESCRIPTOR_CALL(int, ftruncate, TRUNCATE, -1, (int descriptor, off_t length), (descriptor, length))
DESCRIPTOR_CALL(int, ftruncate64, TRUNCATE, -1, (int descriptor, off64_t length), (descriptor, length))
DESCRIPTOR_CALL(int, fstat, STATUS, -1, (int descriptor, struct stat *facts), (descriptor, facts))
DESCRIPTOR_CALL(int, fstat64, STATUS, -1, (int descriptor, struct stat64 *facts), (descriptor, facts))
DESCRIPTOR_CALL(int, fchmod, STATUS, -1, (int descriptor, mode_t mode), (descriptor, mode))
DESCRIPTOR_CALL(int, futimens, STATUS, -1, (int descriptor, const struct timespec times[2]), (descriptor, times))
DESCRIPTOR_CALL(int, flock, LOCK, -1, (int descriptor, int operation), (descriptor, operation))
DESCRIPTOR_CALL(int, dup, DUPLICATE, -1, (int descriptor), (descriptor))
DESCRIPTOR_CALL(int, dup2, DUPLICATE, -1, (int descriptor, int target), (descriptor, target))

#define FCNTL_CALL(name) \
  int name(int descriptor, int command, ...) { \
    REAL(name); \
    va_list list; \
    va_start(list, command); \
    void *argument = va_arg(list, void *); \
    va_end(list); \
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && strikes_descriptor(DUPLICATE, #name, descriptor)) FAIL(-1); \
    return real(descriptor, command, argument); \
  }
FCNTL_CALL(fcntl)
FCNTL_CALL(fcntl64)

/* An error, or half of what was asked for, but at least one byte. */
#define TRANSFER_CALL(name, kind, parameters, arguments) \
  ssize_t name parameters { \
    REAL(name); \
    if (strikes_descriptor(kind, #name, descriptor)) { \
      if (wanted_error != 0) FAIL(-1); \
      count = count > 1 ? count / 2 : count; \
    } \
    return real arguments; \
  }
TRANSFER_CALL(read, READ, (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
TRANSFER_CALL(pread, READ, (int descriptor, void *bytes, size_t count, off_t at), (descriptor, bytes, count, at))
TRANSFER_CALL(pread64, READ, (int descriptor, void *bytes, size_t count, off64_t at), (descriptor, bytes, count, at))
TRANSFER_CALL(readv, READ, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
TRANSFER_CALL(write, WRITE, (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
TRANSFER_CALL(pwrite, WRITE, (int descriptor, const void *bytes, size_t count, off_t at), (descriptor, bytes, count, at))
TRANSFER_CALL(pwrite64, WRITE, (int descriptor, const void *bytes, size_t count, off64_t at), (descriptor, bytes, count, at))
TRANSFER_CALL(writev, WRITE, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))

/* A mapping of a file; memory without a file is asked for by allocators, which abort without it. */
#define MAP_CALL(name, offset) \
  void *name(void *at, size_t length, int protection, int flags, int descriptor, offset from) { \
    REAL(name); \
    if (descriptor >= 0 && strikes_descriptor(MAP, #name, descriptor)) FAIL(MAP_FAILED); \
    return real(at, length, protection, flags, descriptor, from); \
  }
MAP_CALL(mmap, off_t)
MAP_CALL(mmap64, off64_t)

/* Processes, pipes, waiting */

pid_t fork(void) {
  REAL(fork);
  if (strikes(SPAWN, "fork")) FAIL(-1);
  return real();
}

#define SPAWN_CALL(name) \
  int name( \
      pid_t *pid, const char *program, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, \
      char *const words[], char *const environment[]) { \
    REAL(name); \
    if (strikes(SPAWN, #name)) return wanted_error; \
    return real(pid, program, actions, attributes, words, environment); \
  }
SPAWN_CALL(posix_spawn)
SPAWN_CALL(posix_spawnp)

#define PLAIN_CALL(name, kind, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    if (strikes(kind, #name)) FAIL(-1); \
    return real arguments; \
  }
PLAIN_CALL(pipe, PIPE, (int ends[2]), (ends))
PLAIN_CALL(pipe2, PIPE, (int ends[2], int flags), (ends, flags))
PLAIN_CALL(poll, POLL, (struct pollfd * list, nfds_t count, int wait), (list, count, wait))
PLAIN_CALL(
    ppoll, POLL, (struct pollfd * list, nfds_t count, const struct timespec *wait, const sigset_t *mask),
    (list, count, wait, mask))

/* Memory. These call what the C library exports besides, because dlsym() asks for memory itself. */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  if (strikes_memory("malloc", __builtin_return_address(0))) FAIL(NULL);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  if (strikes_memory("calloc", __builtin_return_address(0))) FAIL(NULL);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  if (strikes_memory("realloc", __builtin_return_address(0))) FAIL(NULL);
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (strikes_memory("aligned_alloc", __builtin_return_address(0))) FAIL(NULL);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (strikes_memory("posix_memalign", __builtin_return_address(0))) return ENOMEM;
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}
