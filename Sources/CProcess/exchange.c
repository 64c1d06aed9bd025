// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "CProcess.h"

int process_exchange_names(int folder, const char *one, const char *other) {
#if defined(__APPLE__)
  return renameatx_np(folder, one, folder, other, RENAME_SWAP) == 0 ? 0 : errno;
#elif defined(__GLIBC__)
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
#elif defined(SYS_renameat2)
  return syscall(SYS_renameat2, folder, one, folder, other, 2) == 0 ? 0 : errno;
#else
  (void)folder, (void)one, (void)other;
  return ENOSYS;
#endif
}
