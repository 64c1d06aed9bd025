// SPDX-License-Identifier: Apache-2.0

// The transform of convolution.c for one type of number: REAL, its vector of eight VECTOR, and
// NAME(x) to tell the functions apart; GET and PUT read and write vectors of floats.

static void NAME(make_table)(size_t length, REAL *table) {
  size_t points = length / 8;
  REAL *next = table;
  for (size_t block = points; block > LAST_BLOCK; block /= 4)
    for (size_t j = 0; j < block / 4; j++)
      for (size_t power = 1; power < 4; power++) {
        double angle = -TAU * (double)(j * power) / (double)block;
        *next++ = (REAL)cos(angle);
        *next++ = (REAL)sin(angle);
      }
  next = table + step_space(points);
  for (size_t bin = 0; bin < points; bin += 8)
    for (size_t lane = 1; lane < 8; lane++) {
      for (size_t i = 0; i < 8; i++) {
        double angle = -TAU * (double)(lane * (bin + i)) / (double)length;
        next[i] = (REAL)cos(angle);
        next[8 + i] = (REAL)sin(angle);
      }
      next += 16;
    }
  place_bins((unsigned *)next, points, 0, 0, 1);
}

// One radix-4 step over a block of `block` vectors, from input to output, which may be the same.
INLINE void NAME(first_step)(
    size_t block, const REAL *twiddles, const float *re, const float *im, REAL *out_re,
    REAL *out_im) {
  RADIX_4(GET);
}

INLINE void NAME(radix_4)(
    size_t block, const REAL *twiddles, const REAL *re, const REAL *im, REAL *out_re,
    REAL *out_im) {
  RADIX_4(LOAD);
}

INLINE void NAME(last_4)(REAL *re, REAL *im) {
  VECTOR ar = LOAD(re), ai = LOAD(im), br = LOAD(re + 8), bi = LOAD(im + 8);
  VECTOR cr = LOAD(re + 16), ci = LOAD(im + 16), dr = LOAD(re + 24), di = LOAD(im + 24);
  VECTOR sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci;
  VECTOR ur = br + dr, ui = bi + di, vr = br - dr, vi = bi - di;
  STORE(re, sr + ur);
  STORE(im, si + ui);
  STORE(re + 8, tr + vi);
  STORE(im + 8, ti - vr);
  STORE(re + 16, sr - ur);
  STORE(im + 16, si - ui);
  STORE(re + 24, tr - vi);
  STORE(im + 24, ti + vr);
}

INLINE void NAME(last_2)(REAL *re, REAL *im) {
  VECTOR ar = LOAD(re), ai = LOAD(im), br = LOAD(re + 8), bi = LOAD(im + 8);
  STORE(re, ar + br);
  STORE(im, ai + bi);
  STORE(re + 8, ar - br);
  STORE(im + 8, ai - bi);
}

// The transforms of `points` vectors in all eight lanes.
INLINE void NAME(lanes)(
    size_t points, const REAL *twiddles, const float *re, const float *im, REAL *work_re,
    REAL *work_im) {
  NAME(first_step)(points, twiddles, re, im, work_re, work_im);
  twiddles += 6 * (points / 4);
  size_t block = points / 4;
  for (; block > LAST_BLOCK; block /= 4) {
    for (size_t first = 0; first < 8 * points; first += 8 * block)
      NAME(radix_4)(
          block, twiddles, work_re + first, work_im + first, work_re + first, work_im + first);
    twiddles += 6 * (block / 4);
  }
  for (size_t first = 0; first < 8 * points; first += 8 * block) {
    if (block == 4) NAME(last_4)(work_re + first, work_im + first);
    if (block == 2) NAME(last_2)(work_re + first, work_im + first);
  }
}

// Joins the lanes: the bins k + M q of the whole from bin k of each lane.
INLINE void NAME(join)(
    size_t points, const REAL *w, const REAL *re, const REAL *im, float *out_re,
    float *out_im) {
  const unsigned *p = (const unsigned *)(w + 14 * points);
  const REAL root = (REAL)0.70710678118654752440;
  for (size_t k = 0; k < points; k += 8, p += 8, w += 112) {
    TRANSPOSE(r, re);
    TRANSPOSE(i, im);
    TURN(1);
    TURN(2);
    TURN(3);
    TURN(4);
    TURN(5);
    TURN(6);
    TURN(7);
    // Even lanes: a radix 4 of lanes 0, 2, 4, 6.
    VECTOR ar = r0 + r4, ai = i0 + i4, br = r0 - r4, bi = i0 - i4;
    VECTOR cr = r2 + r6, ci = i2 + i6, dr = r2 - r6, di = i2 - i6;
    VECTOR e0r = ar + cr, e0i = ai + ci, e2r = ar - cr, e2i = ai - ci;
    VECTOR e1r = br + di, e1i = bi - dr, e3r = br - di, e3i = bi + dr;
    // Odd lanes: a radix 4 of lanes 1, 3, 5, 7, turned by eighths.
    ar = r1 + r5, ai = i1 + i5, br = r1 - r5, bi = i1 - i5;
    cr = r3 + r7, ci = i3 + i7, dr = r3 - r7, di = i3 - i7;
    VECTOR o0r = ar + cr, o0i = ai + ci, o2r = ai - ci, o2i = cr - ar;
    VECTOR xr = br + di, xi = bi - dr, yr = br - di, yi = bi + dr;
    VECTOR o1r = (xr + xi) * root, o1i = (xi - xr) * root;
    VECTOR o3r = (yi - yr) * root, o3i = (yr + yi) * -root;
    float *to_re = out_re + k, *to_im = out_im + k;
    PUT(to_re, e0r + o0r);
    PUT(to_im, e0i + o0i);
    PUT(to_re + points, e1r + o1r);
    PUT(to_im + points, e1i + o1i);
    PUT(to_re + 2 * points, e2r + o2r);
    PUT(to_im + 2 * points, e2i + o2i);
    PUT(to_re + 3 * points, e3r + o3r);
    PUT(to_im + 3 * points, e3i + o3i);
    PUT(to_re + 4 * points, e0r - o0r);
    PUT(to_im + 4 * points, e0i - o0i);
    PUT(to_re + 5 * points, e1r - o1r);
    PUT(to_im + 5 * points, e1i - o1i);
    PUT(to_re + 6 * points, e2r - o2r);
    PUT(to_im + 6 * points, e2i - o2i);
    PUT(to_re + 7 * points, e3r - o3r);
    PUT(to_im + 7 * points, e3i - o3i);
  }
}

INLINE void NAME(transform)(
    size_t length, const REAL *table, REAL *work, const float *re, const float *im, float *out_re,
    float *out_im) {
  size_t points = length / 8;
  NAME(lanes)(points, table, re, im, work, work + length + PLANE_GAP);
  const REAL *last = table + step_space(points);
  NAME(join)(points, last, work, work + length + PLANE_GAP, out_re, out_im);
}
