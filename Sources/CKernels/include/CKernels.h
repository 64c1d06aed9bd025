// SPDX-License-Identifier: Apache-2.0

// The hot loops over samples. With the same tables every function gives the same bits on every machine and for every cut of its input:
// no fused operations, no reassociation, one order of operations in each lane.
#ifndef CKERNELS_H
#define CKERNELS_H

#include "convolution.h"
#include "lanes.h"
#include "meter.h"
#include "samples.h"
#include "transforms.h"

#endif
