// SPDX-License-Identifier: Apache-2.0
#include "CProcess.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __APPLE__
#include <crt_externs.h>
#include <libproc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/event.h>
#include <unistd.h>
#else
#include <sys/prctl.h>
#endif

static int limit(int resource, uint64_t bytes) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return errno;
  rlim_t wanted = (rlim_t)bytes;
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max) wanted = now.rlim_max;
  now.rlim_cur = wanted;
  return setrlimit(resource, &now) == 0 ? 0 : errno;
}

int process_limit_memory(uint64_t bytes) { return limit(RLIMIT_DATA, bytes); }

int process_confine(uint64_t memory) {
  struct rlimit now;
  if (getrlimit(RLIMIT_DATA, &now) != 0) return errno;
  if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > memory) now.rlim_cur = memory;
  if (setrlimit(RLIMIT_DATA, &now) != 0) return errno;
  now.rlim_cur = now.rlim_max = 0;
  if (setrlimit(RLIMIT_CORE, &now) != 0) return errno;
  return process_end_with_parent(SIGKILL);
}

#ifdef __APPLE__

/* Where a thread waits for the end of the parent, and what it sends then. */
struct watch {
  int queue;
  int signal;
};

static void *await_parent(void *argument) {
  struct watch watch = *(struct watch *)argument;
  free(argument);
  struct kevent event;
  int found;
  do found = kevent(watch.queue, NULL, 0, &event, 1, NULL);
  while (found < 0 && errno == EINTR);
  if (found > 0) kill(getpid(), watch.signal);
  return NULL;
}

/* Starts the thread; it frees `watch`. */
static int start(struct watch *watch) {
  pthread_t thread;
  int code = pthread_create(&thread, NULL, await_parent, watch);
  if (code == 0) pthread_detach(thread);
  return code;
}

/* The kernel has no signal for the end of a parent, but reports it to whoever watches the process. */
int process_end_with_parent(int signal) {
  int queue = kqueue();
  if (queue < 0) return errno;
  struct kevent wish;
  EV_SET(&wish, (uintptr_t)getppid(), EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
  int code = kevent(queue, &wish, 1, NULL, 0, NULL) < 0 ? errno : 0;
  struct watch *watch = code == 0 ? malloc(sizeof *watch) : NULL;
  if (code == 0 && watch == NULL) code = ENOMEM;
  if (code == 0) {
    *watch = (struct watch){.queue = queue, .signal = signal};
    code = start(watch);
  }
  if (code != 0) {
    free(watch);
    close(queue);
  }
  return code;
}

char **process_environment(void) { return *_NSGetEnviron(); }

int process_program(char *path, uint32_t room) {
  return proc_pidpath(getpid(), path, room) > 0 ? 0 : errno;
}

uint64_t process_resident_memory(int pid) {
  struct proc_taskinfo facts;
  int count = proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &facts, sizeof facts);
  return count == (int)sizeof facts ? facts.pti_resident_size : 0;
}

#else

int process_end_with_parent(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) == 0 ? 0 : errno;
}

extern char **environ;

char **process_environment(void) { return environ; }

#endif

void process_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
