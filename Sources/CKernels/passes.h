// SPDX-License-Identifier: Apache-2.0

// The passes of an FFT (Stockham's order) over rows.
#ifndef PASSES_H
#define PASSES_H

#include "vectors.h"

// x is input and y output, w the twiddles; r and i are real and imaginary parts.

#define PARTS \
  const float *xr = pass->real, *xi = pass->imaginary; \
  float *restrict yr = pass->out_real, *restrict yi = pass->out_imaginary; \
  const float *wr = pass->cosines, *wi = pass->sines

// The four sums of a butterfly of radix 4: the values a to d of each part become s + u, p, q, o.
#define RADIX_4(V) \
  V sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci; \
  V ur = br + dr, ui = bi + di, vr = bi - di, vi = dr - br; \
  V pr = tr + vr, pi = ti + vi, qr = sr - ur, qi = si - ui, or = tr - vr, oi = ti - vi

// Stores the parts of a value times its twiddle as the output of this power.
#define TWIDDLED(V, vr, vi, power) \
  PUT(V, tor + power * stride, vr * c[power - 1] - vi * s[power - 1]); \
  PUT(V, toi + power * stride, vr * s[power - 1] + vi * c[power - 1])

#define ROWS_4(V) \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V cr = GET(V, r + 2 * step), ci = GET(V, i + 2 * step); \
  V dr = GET(V, r + 3 * step), di = GET(V, i + 3 * step); \
  RADIX_4(V); \
  PUT(V, tor, sr + ur); \
  PUT(V, toi, si + ui); \
  TWIDDLED(V, pr, pi, 1); \
  TWIDDLED(V, qr, qi, 2); \
  TWIDDLED(V, or, oi, 3)

#define ROWS_2(V) \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V dr = ar - br, di = ai - bi; \
  PUT(V, tor, ar + br); \
  PUT(V, toi, ai + bi); \
  TWIDDLED(V, dr, di, 1)

// Cosine and sine of 60°.
#define ROWS_3(V) \
  const float half = 0.5f, root = 0.8660254037844386f; \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V cr = GET(V, r + 2 * step), ci = GET(V, i + 2 * step); \
  V sr = br + cr, si = bi + ci, er = (bi - ci) * root, ei = (cr - br) * root; \
  V mr = ar - sr * half, mi = ai - si * half; \
  V pr = mr + er, pi = mi + ei, qr = mr - er, qi = mi - ei; \
  PUT(V, tor, ar + sr); \
  PUT(V, toi, ai + si); \
  TWIDDLED(V, pr, pi, 1); \
  TWIDDLED(V, qr, qi, 2)

// Cosines and sines of 72° and 144°.
#define ROWS_5(V) \
  const float c1 = 0.30901699437494745f, c2 = -0.8090169943749475f; \
  const float s1 = 0.9510565162951535f, s2 = 0.5877852522924731f; \
  V xr1 = GET(V, r + step), xr2 = GET(V, r + 2 * step), xr3 = GET(V, r + 3 * step); \
  V xr4 = GET(V, r + 4 * step), xi1 = GET(V, i + step), xi2 = GET(V, i + 2 * step); \
  V xi3 = GET(V, i + 3 * step), xi4 = GET(V, i + 4 * step), xr0 = GET(V, r), xi0 = GET(V, i); \
  V ar = xr1 + xr4, ai = xi1 + xi4, br = xr2 + xr3, bi = xi2 + xi3; \
  V cr = xr1 - xr4, ci = xi1 - xi4, dr = xr2 - xr3, di = xi2 - xi3; \
  V mr = xr0 + ar * c1 + br * c2, mi = xi0 + ai * c1 + bi * c2; \
  V nr = xr0 + ar * c2 + br * c1, ni = xi0 + ai * c2 + bi * c1; \
  V er = ci * s1 + di * s2, ei = -(cr * s1 + dr * s2); \
  V fr = ci * s2 - di * s1, fi = -(cr * s2 - dr * s1); \
  V r1 = mr + er, i1 = mi + ei, r2 = nr + fr, i2 = ni + fi; \
  V r3 = nr - fr, i3 = ni - fi, r4 = mr - er, i4 = mi - ei; \
  PUT(V, tor, xr0 + ar + br); \
  PUT(V, toi, xi0 + ai + bi); \
  TWIDDLED(V, r1, i1, 1); \
  TWIDDLED(V, r2, i2, 2); \
  TWIDDLED(V, r3, i3, 3); \
  TWIDDLED(V, r4, i4, 4)

#define POINTERS \
  const float *r = xr + place * stride + offset, *i = xi + place * stride + offset; \
  float *tor = yr + radix * place * stride + offset, *toi = yi + radix * place * stride + offset

// A pass over rows: eight values at a time, and four at the end of a row.
#define PASS(ROWS) \
  for (size_t place = 0; place < places; place++) { \
    const float *c = wr + (radix - 1) * place, *s = wi + (radix - 1) * place; \
    size_t offset = 0; \
    for (; offset + 8 <= stride; offset += 8) { \
      POINTERS; \
      ROWS(loose8); \
    } \
    for (; offset < stride; offset += 4) { \
      POINTERS; \
      ROWS(loose4); \
    } \
  }

INLINE void run(const sg_pass *pass, size_t radix, size_t places, size_t stride) {
  PARTS;
  const size_t step = places * stride;
  switch (radix) {
    case 4: PASS(ROWS_4); break;
    case 2: PASS(ROWS_2); break;
    case 3: PASS(ROWS_3); break;
    default: PASS(ROWS_5);
  }
}

#endif
