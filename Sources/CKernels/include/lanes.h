// The hot loops of a room's reflections. Samples of 16 lanes lie side by side: those of time 0, then
// those of time 1, and so on. Lanes, gains and states are aligned to 64 bytes.
#ifndef CCONVOLUTION_LANES_H
#define CCONVOLUTION_LANES_H

#include <stddef.h>

/// Adds `count` signals of `frames` samples, each times 16 gains of its own, to the lanes.
void cc_add_lanes(
    size_t count, size_t frames, const float *const *sources, const float *const *gains,
    float *lanes);

/// Adds what fades linearly from the lanes `old` to the lanes `fresh`.
void cc_fade_lanes(size_t frames, const float *old, const float *fresh, float *lanes);

/// Passes each lane through a shelf: gain `low` below and `high` above the corner of a one-pole
/// low-pass whose 16 states lie in `state`.
void cc_shelve_lanes(
    size_t frames, float pole, float low, float high, float *state, float *lanes);

/// `cc_add_lanes` as compiled for the oldest machine, for the test that both are the same.
void cc_add_lanes_baseline(
    size_t count, size_t frames, const float *const *sources, const float *const *gains,
    float *lanes);

/// `cc_fade_lanes` as compiled for the oldest machine, for the test that both are the same.
void cc_fade_lanes_baseline(
    size_t frames, const float *old, const float *fresh, float *lanes);

/// `cc_shelve_lanes` as compiled for the oldest machine, for the test that both are the same.
void cc_shelve_lanes_baseline(
    size_t frames, float pole, float low, float high, float *state, float *lanes);

#endif
