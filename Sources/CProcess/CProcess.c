#include "CProcess.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static int limit(int resource, uint64_t bytes) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return errno;
  rlim_t wanted = (rlim_t)bytes;
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max) wanted = now.rlim_max;
  now.rlim_cur = wanted;
  return setrlimit(resource, &now) == 0 ? 0 : errno;
}

int process_end_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) == 0 ? 0 : errno;
}

int process_limit_memory(uint64_t bytes) { return limit(RLIMIT_DATA, bytes); }
