// SPDX-License-Identifier: Apache-2.0

// Kernels are compiled twice.
#ifndef CKERNELS_TWINS_H
#define CKERNELS_TWINS_H

/// Declares a kernel, and as `name_baseline` the same as compiled for the oldest machine, for the test that both give the same bits.
#define CK_TWINS(type, name, parameters) \
  type name parameters; \
  type name##_baseline parameters

#endif
