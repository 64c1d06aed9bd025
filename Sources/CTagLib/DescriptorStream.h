// SPDX-License-Identifier: Apache-2.0
/* A stream of TagLib over a descriptor. */
#ifndef CTAGLIB_DESCRIPTORSTREAM_H
#define CTAGLIB_DESCRIPTORSTREAM_H

#include "CTagLib.h"

#include <tiostream.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <unistd.h>

namespace {

/* Places in a stream: TagLib 2 counts them with a sign. */
#if TAGLIB_MAJOR_VERSION >= 2
using Place = TagLib::offset_t;
#else
using Place = unsigned long;
#endif

/* Thrown through TagLib when a write fails: some of its loops trust counts in the file, and would go on for hours. */
struct WriteFailure {};

/* TagLib's own stream doesn't say when a disk is full. This one keeps the errno of the first call that failed, or TAG_REFUSED
   where a file grows without end. */
class DescriptorStream final : public TagLib::IOStream {
public:
  DescriptorStream(int descriptor, int64_t front, int64_t back)
      : descriptor(descriptor), front(front), back(back) {
    off_t end = lseek(descriptor, 0, SEEK_END);
    if (end < 0) fail(errno);
    size = std::max<int64_t>(end, 0);
    largest = size + room;
  }

  int failure() const { return firstFailure; }

  TagLib::FileName name() const override { return ""; }
  bool readOnly() const override { return false; }
  bool isOpen() const override { return true; }
  long tell() const override { return position; }

  void seek(long offset, Position from) override {
    long start = from == Beginning ? 0 : from == Current ? position : length();
    position = std::max(start + offset, 0L);
  }

  long length() override { return std::max<long>(size - front - back, 0); }

  TagLib::ByteVector readBlock(unsigned long wanted) override {
    long rest = length() - position;
    if (rest <= 0 || wanted == 0) return TagLib::ByteVector();
    unsigned long count = std::min(wanted, static_cast<unsigned long>(rest));
    // A ByteVector counts in 32 bits.
    count = std::min(count, 0x7FFFFFFFUL);
    TagLib::ByteVector bytes(static_cast<unsigned int>(count), '\0');
    bytes.resize(static_cast<unsigned int>(readAll(bytes.data(), count, front + position)));
    position += bytes.size();
    return bytes;
  }

  void writeBlock(const TagLib::ByteVector &bytes) override {
    // Hidden bytes may lie behind the end, so that growing there is an insertion.
    if (position + static_cast<long>(bytes.size()) > length()) {
      insert(bytes, position, std::max(length() - position, 0L));
      position += bytes.size();
      return;
    }
    writeAll(bytes.data(), bytes.size(), front + position);
    position += bytes.size();
  }

  void insert(const TagLib::ByteVector &bytes, Place start, unsigned long replace) override {
    long room = std::max(length() - static_cast<long>(start), 0L);
    long replaced = std::min(static_cast<long>(replace), room);
    move(front + static_cast<long>(start) + replaced, static_cast<long>(bytes.size()) - replaced);
    writeAll(bytes.data(), bytes.size(), front + static_cast<long>(start));
  }

  void removeBlock(Place start, unsigned long count) override {
    long room = std::max(length() - static_cast<long>(start), 0L);
    long removed = std::min(static_cast<long>(count), room);
    move(front + static_cast<long>(start) + removed, -removed);
  }

  void truncate(long wanted) override {
    long surplus = length() - wanted;
    if (surplus > 0) removeBlock(wanted, surplus);
  }

private:
  static constexpr int64_t step = 1 << 20;
  /* Bytes that a file may grow by: tags and their padding are much smaller. */
  static constexpr int64_t room = 1 << 26;

  const int descriptor;
  const int64_t front, back;
  int64_t position = 0;
  int64_t size = 0, largest = 0;
  int firstFailure = 0;

  void fail(int code) {
    if (firstFailure == 0) firstFailure = code == 0 ? EIO : code;
  }

  [[noreturn]] void stop(int code) {
    fail(code);
    throw WriteFailure();
  }

  void resize(int64_t wanted) {
    if (wanted > largest) stop(TAG_REFUSED);
    if (ftruncate(descriptor, wanted) != 0) stop(errno);
    size = wanted;
  }

  size_t readAll(char *target, size_t count, int64_t place) {
    size_t done = 0;
    while (done < count) {
      ssize_t got = pread(descriptor, target + done, count - done, place + done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(errno);
      if (got <= 0) break;
      done += got;
    }
    return done;
  }

  void writeAll(const char *bytes, size_t count, int64_t place) {
    size_t done = 0;
    // After a failed read nothing is right any more, so that nothing is written.
    if (firstFailure != 0) throw WriteFailure();
    while (done < count) {
      ssize_t put = pwrite(descriptor, bytes + done, count - done, place + done);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) stop(put == 0 ? ENOSPC : errno);
      done += put;
    }
  }

  /* Moves all from `start` to the end of the file by `shift` bytes, and gives the file its new size. */
  void move(int64_t start, int64_t shift) {
    if (shift == 0) return;
    const int64_t end = size;
    std::unique_ptr<char[]> buffer(new char[step]);
    if (shift > 0) resize(end + shift);
    for (int64_t moved = 0; moved < end - start;) {
      int64_t count = std::min(step, end - start - moved);
      int64_t place = shift > 0 ? end - moved - count : start + moved;
      if (readAll(buffer.get(), count, place) != static_cast<size_t>(count)) stop(0);
      writeAll(buffer.get(), count, place + shift);
      moved += count;
    }
    if (shift < 0) resize(end + shift);
  }
};

} // namespace

#endif
