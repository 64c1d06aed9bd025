// SPDX-License-Identifier: Apache-2.0
#include "include/samples.h"

#include "kernel.h"

typedef int16_t short16 __attribute__((vector_size(32)));
typedef int16_t short8 __attribute__((vector_size(16)));
typedef uint8_t byte32 __attribute__((vector_size(32)));

// Vectors are handled through pointers and macros, not passed to functions: how a 32-byte vector is
// passed depends on the machine the function is compiled for.
#define LOAD(type, name, from) \
  type name; \
  memcpy(&name, from, sizeof(name))
#define KEEP(to, vector) memcpy(to, &(vector), sizeof(vector))

CLONED int32_t cs_peak_bits(const float *samples, size_t count) {
  return peak_bits(samples, count);
}

// Rounding.
//
// A product with a power of two is exact, and so is the comparison with half a step beyond the
// range: where floats are too coarse for the half step, the next float beyond it is a whole step.

INLINE size_t round_tail(
    const float *from, float *to, size_t count, float scale, float top) {
  size_t beyond = 0;
  for (size_t index = 0; index < count; index++) {
    float value = from[index] == from[index] ? from[index] * scale : 0.0f;
    beyond += value > top + 0.5f || value < -scale - 0.5f;
    value = value > top ? top : (value < -scale ? -scale : value);
    to[index] = __builtin_roundevenf(value) * (1 / scale) + 0.0f;
  }
  return beyond;
}

INLINE size_t round_plane(const float *from, float *to, size_t count, int bits) {
  const float scale = (float)(1 << (bits - 1)), top = scale - 1;
  const float8 least = {-scale, -scale, -scale, -scale, -scale, -scale, -scale, -scale};
  const float8 most = {top, top, top, top, top, top, top, top};
  int8 beyond = {0};
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    LOAD(float8, x, from + index);
    x = (float8)((int8)(x * scale) & (x == x));
    beyond -= (x > top + 0.5f) | (x < -scale - 0.5f);
    x = __builtin_elementwise_min(__builtin_elementwise_max(x, least), most);
    // Adding zero turns -0, which no integer has, into 0.
    x = __builtin_elementwise_roundeven(x) * (1 / scale) + 0.0f;
    KEEP(to + index, x);
  }
  return (size_t)__builtin_reduce_add(beyond)
      + round_tail(from + index, to + index, count - index, scale, top);
}

KERNEL(size_t, cs_round, (
    const float *from, float *to, size_t count, int bits),
  round_plane(from, to, count, bits))

INLINE int fits(const float *samples, size_t count, int bits) {
  const float scale = (float)(1 << (bits - 1)), top = scale - 1;
  size_t index = 0;
  int8 outside = {0};
  for (; index + 8 <= count; index += 8) {
    LOAD(float8, x, samples + index);
    x = x * scale;
    outside |= (x != __builtin_elementwise_roundeven(x)) | (x > top) | (x < -scale);
  }
  int32_t found = __builtin_reduce_or(outside);
  for (; index < count; index++) {
    float x = samples[index] * scale;
    found |= x != __builtin_roundevenf(x) || x > top || x < -scale;
  }
  return found == 0;
}

CLONED int cs_fits(const float *samples, size_t count, int bits) {
  return fits(samples, count, bits);
}

// A uniform number in ±0.5 (xorshift64*).
INLINE double uniform(uint64_t *noise) {
  *noise ^= *noise >> 12;
  *noise ^= *noise << 25;
  *noise ^= *noise >> 27;
  return (double)((*noise * 0x2545F4914F6CDD1D) >> 11) * 0x1p-53 - 0.5;
}

CLONED size_t cs_round_dithered(
    const float *const *from, float *const *to, size_t channels, size_t count, int bits,
    uint64_t *noise) {
  const double scale = (double)(1 << (bits - 1));
  uint64_t state = *noise;
  size_t beyond = 0;
  for (size_t frame = 0; frame < count; frame++) {
    for (size_t channel = 0; channel < channels; channel++) {
      double sample = from[channel][frame];
      sample = sample == sample ? sample : 0;
      double wanted = sample * scale + uniform(&state);
      double value = __builtin_roundeven(wanted + uniform(&state));
      double clamped = value < -scale ? -scale : (value > scale - 1 ? scale - 1 : value);
      // Noise alone may touch the top code; only the signal counts as clipped.
      beyond += value != clamped && (sample > 1 || sample < -1);
      to[channel][frame] = (float)(clamped / scale + 0.0);
    }
  }
  *noise = state;
  return beyond;
}

// Eight samples from and to memory. Integers of 24 bits lie in the upper bytes of their lanes.

#define FOUR(x, a, b, c) x, a, b, c
#define TRIPLES \
  FOUR(32, 0, 1, 2), FOUR(32, 3, 4, 5), FOUR(32, 6, 7, 8), FOUR(32, 9, 10, 11), \
  FOUR(32, 12, 13, 14), FOUR(32, 15, 16, 17), FOUR(32, 18, 19, 20), FOUR(32, 21, 22, 23)

INLINE void read_24(const uint8_t *from, int8 *to) {
  byte32 x = {0}, zero = {0};
  memcpy(&x, from, 24);
  *to = (int8)__builtin_shufflevector(x, zero, TRIPLES);
}

INLINE void write_24(const int8 *from, uint8_t *to) {
  byte32 x = (byte32)*from;
  byte32 y = __builtin_shufflevector(
      x, x, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26, 27, 29, 30,
      31, 0, 0, 0, 0, 0, 0, 0, 0);
  memcpy(to, &y, 24);
}

static const size_t bytes_of[] = {1, 2, 3, 4, 8, 4, 8};

INLINE void read_8(const uint8_t *from, cs_format format, float8 *to) {
  switch (format) {
    case CS_S16: {
      LOAD(short8, x, from);
      *to = __builtin_convertvector(x, float8) * 0x1p-15f;
      break;
    }
    case CS_S24: {
      int8 x;
      read_24(from, &x);
      *to = __builtin_convertvector(x, float8) * 0x1p-31f;
      break;
    }
    case CS_S32: {
      LOAD(int8, x, from);
      *to = __builtin_convertvector(x, float8) * 0x1p-31f;
      break;
    }
    case CS_F64: {
      LOAD(double8, x, from);
      *to = __builtin_convertvector(x, float8);
      break;
    }
    default: memcpy(to, from, sizeof(*to));
  }
}

INLINE float read_1(const uint8_t *from, cs_format format) {
  switch (format) {
    case CS_U8: return ((float)*from - 128) * 0x1p-7f;
    case CS_S16: {
      LOAD(int16_t, x, from);
      return (float)x * 0x1p-15f;
    }
    case CS_S24: {
      uint32_t x = (uint32_t)from[0] << 8 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 24;
      return (float)(int32_t)x * 0x1p-31f;
    }
    case CS_S32: {
      LOAD(int32_t, x, from);
      return (float)x * 0x1p-31f;
    }
    case CS_S64: {
      LOAD(int64_t, x, from);
      return (float)x * 0x1p-63f;
    }
    case CS_F64: {
      LOAD(double, x, from);
      return (float)x;
    }
    default: {
      LOAD(float, x, from);
      return x;
    }
  }
}

INLINE void write_8(const float8 *from, cs_format format, uint8_t *to) {
  switch (format) {
    case CS_S16: {
      short8 x = __builtin_convertvector(
          __builtin_convertvector(*from * 0x1p15f, int8), short8);
      KEEP(to, x);
      break;
    }
    case CS_S24: {
      int8 x = __builtin_convertvector(*from * 0x1p31f, int8);
      write_24(&x, to);
      break;
    }
    case CS_S32: {
      int8 x = __builtin_convertvector(*from * 0x1p31f, int8);
      KEEP(to, x);
      break;
    }
    default: memcpy(to, from, sizeof(*from));
  }
}

INLINE void write_1(float value, cs_format format, uint8_t *to) {
  int32_t whole = format == CS_F32 ? bits_of(value) : (int32_t)(value * 0x1p31f);
  switch (format) {
    case CS_S16: whole >>= 16; break;
    case CS_S24: whole >>= 8; break;
    default: break;
  }
  memcpy(to, &whole, bytes_of[format]);
}

// `format` is a constant in each call, so that the switches vanish from the loops.

INLINE void unpack_as(
    const uint8_t *from, size_t channels, size_t count, float *const *planes, cs_format format) {
  const size_t size = bytes_of[format];
  const int isWide = format != CS_U8 && format != CS_S64;
  size_t frame = 0;
  if (channels == 1 && isWide) {
    for (; frame + 8 <= count; frame += 8) {
      float8 x;
      read_8(from + frame * size, format, &x);
      KEEP(planes[0] + frame, x);
    }
  }
  if (channels == 2 && isWide) {
    for (; frame + 8 <= count; frame += 8) {
      float8 x, y;
      read_8(from + 2 * frame * size, format, &x);
      read_8(from + (2 * frame + 8) * size, format, &y);
      float8 left = __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14);
      float8 right = __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15);
      KEEP(planes[0] + frame, left);
      KEEP(planes[1] + frame, right);
    }
  }
  for (size_t channel = 0; channel < channels; channel++) {
    float *to = planes[channel];
    const uint8_t *here = from + (frame * channels + channel) * size;
    for (size_t index = frame; index < count; index++, here += channels * size) {
      to[index] = read_1(here, format);
    }
  }
}

INLINE void unpack(
    const void *from, size_t channels, size_t count, cs_format format, float *const *planes) {
  switch (format) {
    case CS_U8: unpack_as(from, channels, count, planes, CS_U8); break;
    case CS_S16: unpack_as(from, channels, count, planes, CS_S16); break;
    case CS_S24: unpack_as(from, channels, count, planes, CS_S24); break;
    case CS_S32: unpack_as(from, channels, count, planes, CS_S32); break;
    case CS_S64: unpack_as(from, channels, count, planes, CS_S64); break;
    case CS_F32: unpack_as(from, channels, count, planes, CS_F32); break;
    case CS_F64: unpack_as(from, channels, count, planes, CS_F64); break;
  }
}

INLINE void pack_as(
    const float *const *planes, size_t channels, size_t start, size_t count, uint8_t *to,
    cs_format format) {
  const size_t size = bytes_of[format];
  size_t frame = 0;
  if (channels == 1) {
    for (; frame + 8 <= count; frame += 8) {
      LOAD(float8, x, planes[0] + start + frame);
      write_8(&x, format, to + frame * size);
    }
  }
  if (channels == 2) {
    for (; frame + 8 <= count; frame += 8) {
      LOAD(float8, left, planes[0] + start + frame);
      LOAD(float8, right, planes[1] + start + frame);
      float8 x = __builtin_shufflevector(left, right, 0, 8, 1, 9, 2, 10, 3, 11);
      float8 y = __builtin_shufflevector(left, right, 4, 12, 5, 13, 6, 14, 7, 15);
      write_8(&x, format, to + 2 * frame * size);
      write_8(&y, format, to + (2 * frame + 8) * size);
    }
  }
  for (size_t channel = 0; channel < channels; channel++) {
    const float *from = planes[channel] + start;
    uint8_t *here = to + (frame * channels + channel) * size;
    for (size_t index = frame; index < count; index++, here += channels * size) {
      write_1(from[index], format, here);
    }
  }
}

INLINE void pack(
    const float *const *planes, size_t channels, size_t start, size_t count, cs_format format,
    void *to) {
  switch (format) {
    case CS_S16: pack_as(planes, channels, start, count, to, CS_S16); break;
    case CS_S24: pack_as(planes, channels, start, count, to, CS_S24); break;
    case CS_S32: pack_as(planes, channels, start, count, to, CS_S32); break;
    default: pack_as(planes, channels, start, count, to, CS_F32); break;
  }
}

KERNEL(void, cs_pack, (
    const float *const *planes, size_t channels, size_t start, size_t count, cs_format format,
    void *to),
  pack(planes, channels, start, count, format, to))

KERNEL(void, cs_unpack, (
    const void *from, size_t channels, size_t count, cs_format format, float *const *planes),
  unpack(from, channels, count, format, planes))
