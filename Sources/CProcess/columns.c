// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <locale.h>
#include <pthread.h>
#include <wchar.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "CProcess.h"

static locale_t utf8;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Nothing changes or frees it, so that several threads may use it at once (POSIX.1-2017, newlocale). */
static void make_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int process_columns(uint32_t scalar) {
  pthread_once(&once, make_locale);
  /* Without the locale each character takes one column, as in a terminal that doesn't know it. */
  if (!utf8) return 1;
  locale_t former = uselocale(utf8);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(former);
  return columns < 0 ? 1 : columns;
}
