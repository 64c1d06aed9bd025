// SPDX-License-Identifier: Apache-2.0

// The hot loops of loudness metering. Every function gives the same bits on every machine and for
// every cut of its input: no fused operations, no reassociation, one order of sums in each lane.
#ifndef CKERNELS_METER_H
#define CKERNELS_METER_H

#include <stddef.h>

#include "twins.h"

/// Coefficients of the two K-weighting filters (ITU-R BS.1770-5, Annex 1, Tables 1 and 2).
///
/// The shelf's numerator is 1, b1, b2: divide it by its first coefficient and multiply the energies
/// by that coefficient's square. The high-pass has the numerator 1, -2, 1.
typedef struct {
  double shelf_b1, shelf_b2;
  double shelf_a1, shelf_a2;
  double pass_a1, pass_a2;
} ck_k_weighting;

/// Rows of `ck_k_weigh`'s state: the shelf's newest memory, its older one, those of the high-pass,
/// the energy.
enum { CK_K_WEIGHTING_STATE = 5 };

/// Filters samples `start` to `start + count - 1` of some channels and adds their squares to the
/// energies.
///
/// `lanes` is 2, 4, 6 or 8. `planes` has a pointer for each lane; lanes may share a plane. `state`
/// has CK_K_WEIGHTING_STATE rows of `lanes` values, zero at first.
CK_TWINS(void, ck_k_weigh, (
    const ck_k_weighting *filter, size_t lanes, const float *const *planes, size_t start,
    size_t count, double *state));

/// Inputs before the current one that an output of the filter of Annex 2 is made of.
enum { CK_ANNEX_TWO_HISTORY = 11 };

/// Largest sum of tap magnitudes of a phase of Annex 2, rounded up: no output exceeds the largest
/// of its inputs times this, rounding errors included.
static const float ck_annex_two_norm = 2.0229f;

/// Writes to `output[i]`, for each `i < count`, the largest magnitude of `phases` (4, or 2: the
/// first and the third) of the four phases of ITU-R BS.1770-5, Annex 2, which are made of
/// `input[i - 11]` to `input[i]`.
///
/// Works in groups of 16: reads and writes up to the next multiple of 16 of `count`.
void ck_interpolate(const float *input, size_t count, int phases, float *output);

/// Samples that `ck_true_peak` remembers.
enum { CK_TRUE_PEAK_HISTORY = 32 };

/// Largest magnitudes of one channel so far.
typedef struct {
  /// Of the samples.
  float sample;
  /// Of the samples and of what lies between them.
  float between;
} ck_peaks;

/// Measures `count` samples, interpolated by `phases` (4, 2 or 0) phases as in `ck_interpolate`.
///
/// `history` has the CK_TRUE_PEAK_HISTORY samples before these, zero at first, and is moved on.
/// Stretches that can't exceed the peak found so far aren't interpolated; that changes no result.
/// Returns 1, or 0, with peaks and history of no more use, when a sample isn't finite.
CK_TWINS(int, ck_true_peak, (
    const float *samples, size_t count, int phases, float *history, ck_peaks *peaks));

/// Samples that `ck_gain_peaks` works on, and those it reads before and after them.
enum { CK_GAIN_STRETCH = 64, CK_GAIN_REACH = 32 };

/// Inputs of the two eightfold interpolators of `ck_gain_peaks`.
enum { CK_SHARP_TAPS = 64, CK_BRIEF_TAPS = 12 };

/// Interpolators of `ck_gain_peaks`: for each input, oldest first, the taps of the eight phases.
typedef struct {
  const float *sharp;
  const float *brief;
  /// No output exceeds the largest input times this.
  float norm;
} ck_gain_taps;

/// Raises `peaks` to what one channel reaches at and behind each of CK_GAIN_STRETCH samples, up to the
/// next sample, as far as it matters for a limiter with this ceiling.
///
/// Three steps, each run only where the one before it leaves a doubt: a bound from the samples (of the
/// stretch, then of each 16 of them), the interpolator of Annex 2, and the two eightfold ones. Returns a
/// bound for the channel's peaks; where that isn't above the ceiling, nothing in `peaks` is either.
float ck_gain_peaks(
    const ck_gain_taps *taps, const float *samples, float ceiling, float *peaks);

#endif
