// SPDX-License-Identifier: Apache-2.0
/* Ways out of a sandbox, for tests. */
#ifndef CESCAPES_H
#define CESCAPES_H

/* How many there are. */
int escape_count(void);

/* What the way `index` does, as a few words. */
const char *escape_name(int index);

/* The version of Landlock that closes it; 0 where a filter of system calls does. */
int escape_version(int index);

/* Whether any process without a sandbox can go it. */
int escape_is_open(int index);

/* Goes it. `outside` is a folder with victims, `inside` one that may be written. Answers 0 where it led out, else the
   errno. */
int escape_try(int index, const char *outside, const char *inside);

#endif
