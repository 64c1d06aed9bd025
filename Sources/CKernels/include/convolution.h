// SPDX-License-Identifier: Apache-2.0

// The hot loops of fast convolution. With the same tables they give the same bits on every machine:
// no fused operations, no reassociation, one order of operations in each lane.
//
// Complex signals are planar: all real parts, then all imaginary ones, in buffers aligned to 32
// bytes. Lengths are powers of two of at least 128.
#ifndef CKERNELS_CONVOLUTION_H
#define CKERNELS_CONVOLUTION_H

#include <stddef.h>

#include "twins.h"

/// Floats of the table of a transform of `length` points.
size_t cc_table_size(size_t length);

/// Floats of the working space of a transform of `length` points.
size_t cc_work_size(size_t length);

/// Fills the table of a transform of `length` points.
void cc_make_table(size_t length, float *table);

/// Fills the table of a transform that works in double; it has as many doubles.
void cc_make_precise_table(size_t length, double *table);

/// The transform of re + j im with e^-jwn, unscaled, in order. With the planes of input and output
/// exchanged, (im, re), it is the inverse transform, unscaled too.
///
/// `work` has cc_work_size floats. Input and output may be the same; neither may be `work`.
CK_TWINS(void, cc_transform, (
    size_t length, const float *table, float *work, const float *re, const float *im,
    float *out_re, float *out_im));

/// `cc_transform` worked out in double, with as many doubles of working space: only the results are
/// rounded.
CK_TWINS(void, cc_transform_precisely, (
    size_t length, const double *table, double *work, const float *re, const float *im,
    float *out_re, float *out_im));

/// The sum over `count` spectra of their products with as many filters, `length` bins of each: all
/// of them two planes, the imaginary one `stride` floats after the real one. Sums of four are made
/// before the whole sum: with many channels, rounding would show otherwise.
CK_TWINS(void, cc_multiply, (
    size_t length, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum));

/// Splits the spectrum of two real signals, `first` + j `second`, of 2 `bins` points into their half
/// spectra. `bins` is a multiple of 8, at least 16; `spectrum_stride` is the distance of the planes.
///
/// A half spectrum has the bins 0 to `bins` - 1: all real parts, then, `stride` floats after the
/// first one, all imaginary parts. The real bin at `bins` takes the place of the imaginary part of
/// bin 0, which is 0 for real signals.
CK_TWINS(void, cc_split, (
    size_t bins, size_t stride, const float *spectrum, size_t spectrum_stride, float *first,
    float *second));

/// Adds the sum over `count` half spectra of their products with two half spectra each (to the left
/// and, 2 `stride` floats on, to the right ear) to the two half spectra of `sum`.
CK_TWINS(void, cc_add_products, (
    size_t bins, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum));

/// Makes one ear's filter between `count` directions: the phase of the weighted sum of their aligned
/// half spectra, the weighted mean of their levels, delayed.
///
/// A term has 48 floats for each 16 bins: their real parts, their imaginary parts, and the logarithms
/// to base 2 of their magnitudes, so that memory is read in one stream. `turn_re` and `turn_im` are the
/// cosine and the sine of the delay's phase from bin to bin, and `scale` is a factor. `bins` and
/// `stride` are multiples of 16, and terms and filter are aligned to 64 bytes.
CK_TWINS(void, cc_mix_aligned, (
    size_t bins, size_t stride, size_t count, const float *const *terms, const float *weights,
    double turn_re, double turn_im, double scale, float *filter));

/// Adds a half spectrum's parts, times `weight`, to those of a term as `cc_mix_aligned` takes it, and
/// its power, times `weight`, to what is the level there.
CK_TWINS(void, cc_add_power, (
    size_t bins, size_t stride, float weight, const float *spectrum, float *term));

#endif
