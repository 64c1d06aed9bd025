// SPDX-License-Identifier: Apache-2.0
#ifndef PINNA_CCURL_SHIM_H
#define PINNA_CCURL_SHIM_H

#include <curl/curl.h>

// Options are set by functions with any number of arguments, which Swift can't call. Each function here takes one kind of value.

/// Sets an option to a number.
static inline CURLcode cc_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets an option to a text, of which libcurl takes a copy; NULL is the option's own default.
static inline CURLcode cc_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

/// Sets an option to lines, which must stay as long as the handle.
static inline CURLcode cc_lines(CURL *handle, CURLoption option, struct curl_slist *lines) {
  return curl_easy_setopt(handle, option, lines);
}

/// The system's number for the failure of a connection; 0 for none.
static inline int cc_system_error(CURL *handle) {
  long number = 0;
  curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
  return (int)number;
}

/// Lets transfers that have this share continue each other's sessions of TLS; without locks, so on one thread at a time.
static inline CURLSH *cc_shared_sessions(void) {
  CURLSH *share = curl_share_init();
  if (share) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  return share;
}

/// Sets the share of a handle, which must stay as long as the handle.
static inline CURLcode cc_share(CURL *handle, CURLSH *share) {
  return curl_easy_setopt(handle, CURLOPT_SHARE, share);
}

/// Sets where the words of a failure are written: CURL_ERROR_SIZE bytes, which must stay as long as the handle.
static inline CURLcode cc_words(CURL *handle, char *words) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words);
}

/// Sets the functions that get lines of heads and content, and those that are told about a connection and about all bytes
/// of the answer. Each gets `owner`.
static inline void cc_listeners(CURL *handle, void *owner, curl_write_callback line, curl_write_callback content,
                                curl_prereq_callback connected, curl_debug_callback arrived) {
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, line);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, owner);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, content);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, owner);
  curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, connected);
  curl_easy_setopt(handle, CURLOPT_PREREQDATA, owner);
  curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, arrived);
  curl_easy_setopt(handle, CURLOPT_DEBUGDATA, owner);
  curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

#endif
