// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CZLIB_SHIM_H
#define PINNA_CZLIB_SHIM_H

#include <zlib.h>

#endif
