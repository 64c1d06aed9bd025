/* What a worker process asks of the kernel: calls that Swift can't make because they are variadic or
   take an anonymous enumeration. Each answers 0, or the errno. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdint.h>

/* Has the kernel send `signal` to this process when the thread that started it ends. */
int process_end_with_parent(int signal);

/* Most private memory this process may ask for, in bytes. */
int process_limit_memory(uint64_t bytes);

#endif
