#ifndef PINNA_CMYSOFA_SHIM_H
#define PINNA_CMYSOFA_SHIM_H

#include <mysofa.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* For a process that only reads one file: limits the memory it may ask for, leaves no core file, and
   has it end with its parent. Swift can't call these: variadic, or with an anonymous enumeration.
   Answers 0, or -1. */
static inline int pinna_confine(uint64_t memory) {
  struct rlimit now;
  if (getrlimit(RLIMIT_DATA, &now) != 0) return -1;
  if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > memory) now.rlim_cur = memory;
  if (setrlimit(RLIMIT_DATA, &now) != 0) return -1;
  now.rlim_cur = now.rlim_max = 0;
  if (setrlimit(RLIMIT_CORE, &now) != 0) return -1;
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

#endif
