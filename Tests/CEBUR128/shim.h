// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CEBUR128_SHIM_H
#define PINNA_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
