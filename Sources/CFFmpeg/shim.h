// SPDX-License-Identifier: Apache-2.0

// What Swift's importer can't see of FFmpeg's headers: macros with casts, va_list callbacks.
#ifndef PINNA_CFFMPEG_SHIM_H
#define PINNA_CFFMPEG_SHIM_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/crc.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/replaygain.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include "filters.h"

static const int64_t PINNA_NOPTS = AV_NOPTS_VALUE;
static const int PINNA_EOF = AVERROR_EOF;
static const int PINNA_EAGAIN = AVERROR(EAGAIN);
static const int PINNA_EACCES = AVERROR(EACCES);
static const int PINNA_ENOMEM = AVERROR(ENOMEM);
static const int PINNA_EIO = AVERROR(EIO);
static const int PINNA_ENOSYS = AVERROR(ENOSYS);
static const int PINNA_EXIT = AVERROR_EXIT;
static const int PINNA_INVALIDDATA = AVERROR_INVALIDDATA;
static const int PINNA_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int PINNA_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int PINNA_SEEK_SIZE = AVSEEK_SIZE;

static inline AVChannelLayout pinna_layout_from_mask(uint64_t mask) {
  AVChannelLayout layout = {0};
  av_channel_layout_from_mask(&layout, mask);
  return layout;
}

// Channels that belong to no known loudspeakers.
static inline AVChannelLayout pinna_layout_unnamed(int channels) {
  AVChannelLayout layout = {0};
  layout.order = AV_CHANNEL_ORDER_UNSPEC;
  layout.nb_channels = channels;
  return layout;
}

// The union of AVChannelLayout isn't imported by name in every toolchain.
static inline uint64_t pinna_layout_mask(const AVChannelLayout *layout) {
  return layout->order == AV_CHANNEL_ORDER_NATIVE ? layout->u.mask : 0;
}

// The order of a sound field without further channels; -1 for anything else.
static inline int pinna_ambisonic_order(const AVChannelLayout *layout) {
  if (layout->order != AV_CHANNEL_ORDER_AMBISONIC || layout->u.mask) return -1;
  int64_t order = 0;
  while ((order + 1) * (order + 1) < layout->nb_channels) order++;
  return (order + 1) * (order + 1) == layout->nb_channels ? (int)order : -1;
}

// libav's log goes through one plain callback: formatted text, level, class name.
typedef void (*pinna_log_sink)(int level, const char *text);
static pinna_log_sink pinna_current_log_sink = NULL;
static void pinna_log_callback(void *avcl, int level, const char *format, va_list arguments) {
  if (level > av_log_get_level() || !pinna_current_log_sink) return;
  char line[1024];
  int prefix = 1;
  av_log_format_line(avcl, level, format, arguments, line, sizeof line, &prefix);
  pinna_current_log_sink(level, line);
}
static inline void pinna_set_log_sink(pinna_log_sink sink, int level) {
  pinna_current_log_sink = sink;
  av_log_set_level(level);
  av_log_set_callback(pinna_log_callback);
}

// Side data of a stream moved into its codec parameters in libavformat 60.15 (FFmpeg 6.1). The old place
// is deprecated from then on, and gone in 62 (FFmpeg 8.0).
#define PINNA_SIDE_DATA_IN_PARAMETERS (LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100))

static inline const uint8_t *pinna_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                             size_t *size) {
#if PINNA_SIDE_DATA_IN_PARAMETERS
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

// Copies what avcodec_parameters_copy doesn't take along.
static inline int pinna_copy_side_data(AVStream *target, const AVStream *source) {
#if !PINNA_SIDE_DATA_IN_PARAMETERS
  for (int index = 0; index < source->nb_side_data; index++) {
    const AVPacketSideData *data = &source->side_data[index];
    uint8_t *copy = av_stream_new_side_data(target, data->type, data->size);
    if (!copy) return AVERROR(ENOMEM);
    memcpy(copy, data->data, data->size);
  }
#endif
  return 0;
}

static inline int pinna_major_version(unsigned version) { return (int)(version >> 16); }

// The versions of the headers that Pinna is compiled with; libav's functions tell those of the libraries in use.
static const unsigned PINNA_BUILT_AVFORMAT = LIBAVFORMAT_VERSION_INT;
static const unsigned PINNA_BUILT_AVCODEC = LIBAVCODEC_VERSION_INT;
static const unsigned PINNA_BUILT_AVUTIL = LIBAVUTIL_VERSION_INT;
static const unsigned PINNA_BUILT_SWRESAMPLE = LIBSWRESAMPLE_VERSION_INT;

// A processor's extension, as libav names it: lower case, and its bit in av_get_cpu_flags.
typedef struct {
  const char *name;
  int flag;
} pinna_extension;

// The extension number `index` of the architecture that this is compiled for, weakest first; NULL behind the last.
// Each architecture uses the same bits for other extensions, so that only its own may be asked for.
static inline const pinna_extension *pinna_processor_extension(int index) {
  static const pinna_extension known[] = {
#if defined(__x86_64__) || defined(__i386__)
      {"sse2", AV_CPU_FLAG_SSE2},    {"ssse3", AV_CPU_FLAG_SSSE3}, {"sse4.2", AV_CPU_FLAG_SSE42},
      {"avx", AV_CPU_FLAG_AVX},      {"fma3", AV_CPU_FLAG_FMA3},   {"avx2", AV_CPU_FLAG_AVX2},
#elif defined(__aarch64__) || defined(__arm__)
      {"neon", AV_CPU_FLAG_NEON},
// FFmpeg 5.1 doesn't know these yet.
#ifdef AV_CPU_FLAG_DOTPROD
      {"dotprod", AV_CPU_FLAG_DOTPROD},
#endif
#ifdef AV_CPU_FLAG_I8MM
      {"i8mm", AV_CPU_FLAG_I8MM},
#endif
#ifdef AV_CPU_FLAG_SVE
      {"sve", AV_CPU_FLAG_SVE},
#endif
#ifdef AV_CPU_FLAG_SVE2
      {"sve2", AV_CPU_FLAG_SVE2},
#endif
#ifdef AV_CPU_FLAG_SME
      {"sme", AV_CPU_FLAG_SME},
#endif
#ifdef AV_CPU_FLAG_SME2
      {"sme2", AV_CPU_FLAG_SME2},
#endif
#endif
      {NULL, 0},
  };
  return known[index].name ? &known[index] : NULL;
}

#endif
