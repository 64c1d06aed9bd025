// SPDX-License-Identifier: Apache-2.0

// Hot loops of transforms, the subband filter bank and rate conversion. Every function gives the same bits on every machine: no fused
// operations, no reassociation, one order of sums. Arrays that a function writes to overlap no others,
// unless it says so; none needs an alignment.
#ifndef CKERNELS_TRANSFORMS_H
#define CKERNELS_TRANSFORMS_H

#include <stddef.h>

#include "twins.h"

/// Taps of each filter of `sg_convert`.
enum { SG_CONVERTER_TAPS = 128 };

/// Converts a rate by up / down: writes `count` samples.
///
/// `filters` has `up` rows of SG_CONVERTER_TAPS values. The first output sample is the scalar product of
/// row `phase` (below `up`) and the values that `input` begins with; each further one is `down` phases
/// later, and each `up` phases stand for one sample of input. A product has 16 sums, of every 16th value,
/// which are added up in pairs 4 apart, then 8, then in order.
CK_TWINS(void, sg_convert, (
    const float *filters, size_t up, size_t down, size_t phase, const float *input, size_t count,
    float *output));

/// Divides a rate by `factor`: writes `count` samples, each the product of the filter's `taps` values, a multiple of 16,
/// and the samples from `factor` times its index on. The order of the sums is that of `sg_convert`.
CK_TWINS(void, sg_decimate, (
    const float *filter, size_t taps, size_t factor, const float *input, size_t count, float *output));

/// What a pass of an FFT reads and writes, and its twiddles: real and imaginary parts.
typedef struct {
  const float *real, *imaginary;
  float *out_real, *out_imaginary;
  const float *cosines, *sines;
} sg_pass;

/// The first pass of a single FFT of 4 · `places` points, of radix 4.
///
/// The twiddles are three rows of `places` values, one for each power.
CK_TWINS(void, sg_first_radix_4, (
    const sg_pass *pass, size_t places));

/// A later pass of an FFT: splits transforms of `radix` · `places` points, whose neighbouring values are
/// `stride` apart, into `radix` (2, 3, 4 or 5) shorter ones. Stockham's order.
///
/// `stride` is a multiple of 4. Each place has radix − 1 twiddles, one for each power.
CK_TWINS(void, sg_radix, (
    const sg_pass *pass, size_t radix, size_t places, size_t stride));

/// Folds `length` lines, a multiple of 8, into the input of an FFT of half as many points, times the
/// twiddles.
CK_TWINS(void, sg_mdct_fold, (
    const float *lines, size_t length, const float *cosines, const float *sines, float *real,
    float *imaginary));

/// Writes the 2 · `length` samples of an inverse MDCT, from the FFT's output and the same twiddles.
///
/// `work` has room for `length` values.
CK_TWINS(void, sg_mdct_unfold, (
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *work, float *samples));

/// Multiplies `samples` by the `count` values of `slope`, from its last to its first.
void sg_fall(float *samples, const float *slope, size_t count);

/// Adds to `sums` the `count` values of `samples` times those of `slope`.
void sg_rise(float *sums, const float *samples, const float *slope, size_t count);

/// Subbands of the filter bank, rows of its transform, and samples per slot.
enum { SG_BANDS = 64 };

/// Rows of values along time, `stride` apart: `base` is slot 0 of row 0, earlier slots lie before it.
typedef struct {
  float *base;
  size_t stride;
} sg_rows;

/// Sorts the samples of `slots` slots by their place in a slot: the rows.
CK_TWINS(void, sg_gather_slots, (
    const float *samples, size_t slots, sg_rows rows));

/// Twiddles of the filter bank's transform, real and imaginary parts: those of the three passes of radix 4 of an FFT
/// of SG_BANDS points, as `sg_radix` takes them one after the other, those of the places in a slot, and those of the
/// subbands.
typedef struct {
  const float *fft_cosines, *fft_sines;
  const float *place_cosines, *place_sines;
  const float *band_cosines, *band_sines;
} sg_turns;

/// Real and imaginary parts of a subband along time. Both are NULL where it is silent.
typedef struct {
  const float *real, *imaginary;
} sg_band;

/// Analysis: windows and sums the rows of `input`, from which nine earlier slots are read, transforms the sums of each
/// of `slots` slots and writes SG_BANDS rows of real and of imaginary parts.
///
/// Rows of `input` are read up to the next multiple of 4 of `slots`. `prototype` has 640 taps.
CK_TWINS(void, sg_analyse, (
    sg_rows input, size_t slots, const float *prototype, const sg_turns *turns, sg_rows real,
    sg_rows imaginary));

/// Synthesis: transforms each of `slots` slots of SG_BANDS `bands` and writes the 128 values of each slot, the first
/// half to the rows of `low` and the second one to those of `high`.
///
/// Rows of `low` and `high` are written up to the next multiple of 4 of `slots`.
CK_TWINS(void, sg_synthesise, (
    const sg_band *bands, size_t slots, const sg_turns *turns, sg_rows low, sg_rows high));

/// Synthesis: windows and sums the rows of both halves, from which nine earlier slots are read, and
/// writes the samples of `slots` slots, times `scale`.
///
/// Rows are read up to the next multiple of 4 of `slots`.
CK_TWINS(void, sg_sum_slots, (
    sg_rows low, sg_rows high, size_t slots, const float *prototype, float scale, float *samples));

/// Writes the energies of rows `first` to `end` − 1 in `slots` slots, the sums of their squared magnitudes
/// in order of time, to `energies` from place `first` on.
CK_TWINS(void, sg_energies, (
    sg_rows real, sg_rows imaginary, size_t first, size_t end, size_t slots, float *energies));

/// Adds slots `first` to `end` − 1 of `source` to those of `sums`, SG_BANDS rows each, times a factor of each row:
/// that of slot `first` + n is `values`[row] + (n + 1) · `steps`[row]. Without `steps` it is `values`[row].
CK_TWINS(void, sg_add_rows, (
    sg_rows source, const float *values, const float *steps, size_t first, size_t end, sg_rows sums));

/// Copies in each of `count` rows the last `history` slots of a frame of `slots` slots to those before slot 0. The two
/// may overlap.
void sg_advance_rows(sg_rows rows, size_t count, size_t slots, size_t history);

#endif
