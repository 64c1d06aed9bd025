// SPDX-License-Identifier: Apache-2.0
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Blocks of memory that the calling thread has asked for so far.
long pinna_allocations(void);

#endif
