// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/syscall.h>
/* FICLONE of linux/fs.h, whose other names clash with those of sys/mount.h. */
#define SHARE_BLOCKS _IOW(0x94, 9, int)
#endif

#include "CProcess.h"

int process_copy_file(int from, int to, uint64_t size) {
#ifdef __linux__
  if (ioctl(to, SHARE_BLOCKS, from) == 0) return 0;
#ifdef SYS_copy_file_range
  for (uint64_t done = 0; done < size;) {
    int64_t in = (int64_t)done, out = (int64_t)done;
    uint64_t rest = size - done;
    long got = syscall(SYS_copy_file_range, from, &in, to, &out, rest > 1u << 30 ? 1u << 30 : rest, 0u);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    /* The file has become shorter, or its file system answers nothing. */
    if (got == 0) return EIO;
    done += (uint64_t)got;
  }
  return 0;
#endif
#endif
  (void)from, (void)to, (void)size;
  return ENOSYS;
}

void process_reserve(int file, uint64_t offset, uint64_t count) {
#ifdef FALLOC_FL_KEEP_SIZE
  (void)fallocate(file, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)count);
#else
  (void)file, (void)offset, (void)count;
#endif
}

int64_t process_attribute_names(int file, char *names, uint64_t room) {
#ifdef __APPLE__
  int64_t got = flistxattr(file, names, room, 0);
#else
  int64_t got = flistxattr(file, names, room);
#endif
  return got < 0 ? -errno : got;
}

int64_t process_attribute(int file, const char *name, void *value, uint64_t room) {
#ifdef __APPLE__
  int64_t got = fgetxattr(file, name, value, room, 0, 0);
#else
  int64_t got = fgetxattr(file, name, value, room);
#endif
  return got < 0 ? -errno : got;
}

int process_set_attribute(int file, const char *name, const void *value, uint64_t size) {
#ifdef __APPLE__
  return fsetxattr(file, name, value, size, 0, 0) == 0 ? 0 : errno;
#else
  return fsetxattr(file, name, value, size, 0) == 0 ? 0 : errno;
#endif
}
