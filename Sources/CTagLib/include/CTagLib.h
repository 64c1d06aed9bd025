// SPDX-License-Identifier: Apache-2.0
/* Text fields of audio files, read and written by TagLib. No exception of C++ leaves these functions, and no path is opened:
   all reading and writing goes through a descriptor of the caller's. */
#ifndef CTAGLIB_H
#define CTAGLIB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a file holds its tags, which the caller knows from the file's content. */
enum tag_format {
  TAG_FLAC,
  TAG_OGG_VORBIS,
  TAG_OGG_OPUS,
  TAG_OGG_FLAC,
  /* ID3v2 in front, and an APE tag behind where the file has one. */
  TAG_MPEG,
  TAG_MP4,
  TAG_WAV,
  TAG_AIFF,
  TAG_WAVPACK,
  TAG_MONKEYS,
  TAG_MUSEPACK
};

/* Which tag of the file has a field. */
enum tag_place {
  /* The one that fields are added to. */
  TAG_OWN,
  /* An APE tag behind an MPEG file, which has its own in front. */
  TAG_BESIDE,
  /* A frame of ID3v2 that states a gain in a form of its own (RVA2); its name is that of the frame, and its value empty. */
  TAG_VOLUME
};

/* What a function answers beside 0 and an errno: TagLib doesn't take the file, or threw an exception. */
#define TAG_REFUSED (-1)

/* An open file and its tags. */
typedef struct tag_file tag_file;

/* Reads the tags of a file of `format`. `descriptor` stays the caller's, and open until tag_file_close. The first `front`
   bytes and the last `back` bytes are hidden from TagLib and kept as they are. `failure` is 0, an errno, or TAG_REFUSED.
   Answers NULL when `failure` isn't 0. */
tag_file *tag_file_open(
    int descriptor, enum tag_format format, int64_t front, int64_t back, int *failure);

/* Frees what tag_file_open made. NULL is allowed. */
void tag_file_close(tag_file *file);

/* Number of text fields; a field of several values counts once for each. */
int64_t tag_file_count(const tag_file *file);

/* Name of the field `index`, from 0 on; NULL behind the last. The text is that of the file's, in UTF-8, and lives until the
   next change. Names of Vorbis comments are in upper case. */
const char *tag_file_name(const tag_file *file, int64_t index);

/* Value of the field `index`, as its name. */
const char *tag_file_value(const tag_file *file, int64_t index);

/* Place of the field `index`; TAG_OWN behind the last. */
enum tag_place tag_file_place(const tag_file *file, int64_t index);

/* Major version of the ID3v2 tag that the file has; 0 for none. */
int tag_file_id3_version(const tag_file *file);

/* Removes all fields called `name`, in letters of any case, from all tags, and frames of TAG_VOLUME of that name. Answers 0 or
   TAG_REFUSED. */
int tag_file_remove(tag_file *file, const char *name);

/* Adds a field of `name` and `value`, both in ASCII, to the tag that is the file's own. Answers 0 or TAG_REFUSED. */
int tag_file_add(tag_file *file, const char *name, const char *value);

/* Writes the tags to the file. Answers 0, the errno of the first read or write that failed, or TAG_REFUSED. */
int tag_file_save(tag_file *file);

#ifdef __cplusplus
}
#endif

#endif
