// SPDX-License-Identifier: Apache-2.0
#ifndef CLILV_SHIM_H
#define CLILV_SHIM_H

#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdarg.h>
#include <stdio.h>

/* Swift has no functions with any number of arguments; what plugins print goes to standard error. */
static int clilv_log_vprintf(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list words) {
  (void)handle;
  (void)type;
  return vfprintf(stderr, format, words);
}

static int clilv_log_printf(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list words;
  va_start(words, format);
  int count = clilv_log_vprintf(handle, type, format, words);
  va_end(words);
  return count;
}

static inline LV2_Log_Log clilv_log(void) {
  LV2_Log_Log log = {NULL, clilv_log_printf, clilv_log_vprintf};
  return log;
}

#endif
