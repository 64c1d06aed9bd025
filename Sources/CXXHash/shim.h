// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CXXHASH_SHIM_H
#define PINNA_CXXHASH_SHIM_H

#include <xxhash.h>

#endif
