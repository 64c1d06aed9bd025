// SPDX-License-Identifier: Apache-2.0
/* What a process asks of the kernel: calls that Swift can't make because they are variadic, take an
   anonymous enumeration, or belong to headers that not every system has. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdint.h>

/* Has this process sent `signal` when the thread that started it ends; on Darwin, when the process that
   started it ends. Answers 0, or the errno. */
int process_end_with_parent(int signal);

/* Most private memory this process may ask for, in bytes. Answers 0, or the errno. */
int process_limit_memory(uint64_t bytes);

/* For a process that only reads one file: limits the memory it may ask for to `memory` bytes or a lower
   limit that it has already, leaves no core file, and has it end with its parent. Answers 0, or the
   errno. */
int process_confine(uint64_t memory);

/* What a foreign program may use. */
struct process_limits {
  /* Seconds of the processor. */
  uint64_t seconds;
  /* Bytes of private memory. */
  uint64_t memory;
  /* Bytes of a file that it writes. */
  uint64_t file_size;
  /* Descriptors. */
  uint64_t files;
};

/* Holds this process and what it becomes to `limits`; it leaves no core file, and its files are its own.
   Answers 0, or the errno. */
int process_limit_program(const struct process_limits *limits);

/* No program that this process becomes gets other rights than it has. Answers 0, or the errno. */
int process_no_new_privileges(void);

/* Version of Landlock in this kernel; 0 where it has none. */
int process_landlock_version(void);

/* This process may write to files in `folder` only. Answers 0, or the errno. */
int process_write_only_in(const char *folder);

/* This process may open no socket, trace no process and mount nothing. Answers 0, or the errno. */
int process_without_network(void);

/* Whether this kernel takes filters of system calls. */
int process_has_filters(void);

/* What a path may be used for, one bit each: read (a folder with everything below it), run as a program,
   written with everything below it, and cleared of empty folders. */
#define PROCESS_READS 1u
#define PROCESS_RUNS 2u
#define PROCESS_WRITES 4u
#define PROCESS_CLEARS 8u

/* One path and its uses. */
struct process_right {
  const char *path;
  uint32_t uses;
};

/* Keeps the calling thread, the programs that it becomes and those that it starts to the `count` paths of
   `rights`, by the rights that Landlock has up to `version`; a path that doesn't exist is passed over.
   With `network`, TCP connections may be opened. Answers 0, or the errno. */
int process_restrict_files(
    const struct process_right *rights, uint64_t count, int version, int network);

/* Keeps the calling thread, and what it becomes and starts, from system calls that a renderer never needs,
   and without `network` from sockets. Answers 0, or the errno. */
int process_restrict_calls(int network);

/* Whether a filter of system calls holds for the calling thread. */
int process_is_filtered(void);

/* Whether the calling thread can't get other rights by programs that it becomes. */
int process_keeps_privileges(void);

/* Has the descriptors from `first` on closed when this process becomes another program. */
void process_close_on_exec(uint32_t first);

/* Becomes the program at `path`, with no signal blocked. Answers the errno; only when it fails. */
int process_become(const char *path, char *const words[], char *const environment[]);

/* Has the processor take numbers that are too small for full precision for 0 in this thread, where it can. */
void process_flush_denormals(void);

/* The environment of this process, as posix_spawn takes it. */
char **process_environment(void);

/* Exchanges two names in an open folder in one step. Answers 0, or the errno: ENOENT where one isn't there, ENOSYS or EINVAL
   where the system or the file system can't. */
int process_exchange_names(int folder, const char *one, const char *other);

/* Has the empty open file `to` hold the `size` bytes of `from`, by sharing blocks or within the kernel. Answers 0, or the errno,
   after which `to` may hold a part of them. */
int process_copy_file(int from, int to, uint64_t size);

/* Reserves `count` bytes of a file from `offset` on, beyond its end, so that the file system finds their places at once. Where that
   can't be had, nothing happens. */
void process_reserve(int file, uint64_t offset, uint64_t count);

/* Writes the names of the extended attributes of an open file into `room` bytes, each ended by a zero. Answers their length, also
   for a `room` of 0, or -errno. */
int64_t process_attribute_names(int file, char *names, uint64_t room);

/* Writes the value of an extended attribute into `room` bytes. Answers its length, also for a `room` of 0, or -errno. */
int64_t process_attribute(int file, const char *name, void *value, uint64_t room);

/* Gives an open file an extended attribute. Answers 0, or the errno. */
int process_set_attribute(int file, const char *name, const void *value, uint64_t size);

/* Gives memory that was freed, but that the allocator keeps for later, back to the system, where the C
   library has a call for that. */
void process_return_memory(void);

#ifdef __APPLE__
/* Bytes that the longest path takes: PROC_PIDPATHINFO_MAXSIZE. */
#define PROCESS_PATH_ROOM 4096

/* Writes the path of the program that this process runs into `room` bytes. Answers 0, or the errno. */
int process_program(char *path, uint32_t room);

/* Resident memory of the process `pid` in bytes; 0 when it isn't known. */
uint64_t process_resident_memory(int pid);
#endif

/* Columns that a character takes on a terminal, 0 to 2; 1 for one that the C library doesn't know. */
int process_columns(uint32_t scalar);

#endif
