// SPDX-License-Identifier: Apache-2.0

// The hot loops of a room's reflections. Samples of 16 lanes lie side by side: those of time 0, then
// those of time 1, and so on. Lanes, gains and states are aligned to 64 bytes.
#ifndef CKERNELS_LANES_H
#define CKERNELS_LANES_H

#include <stddef.h>

#include "twins.h"

/// Adds `count` signals of `frames` samples, each times 16 gains of its own, to the lanes.
CK_TWINS(void, cc_add_lanes, (
    size_t count, size_t frames, const float *const *sources, const float *const *gains,
    float *lanes));

/// Adds what fades linearly from the lanes `old` to the lanes `fresh`.
CK_TWINS(void, cc_fade_lanes, (
    size_t frames, const float *old, const float *fresh, float *lanes));

/// Passes each lane through a shelf: gain `low` below and `high` above the corner of a one-pole
/// low-pass whose 16 states lie in `state`.
CK_TWINS(void, cc_shelve_lanes, (
    size_t frames, float pole, float low, float high, float *state, float *lanes));

#endif
