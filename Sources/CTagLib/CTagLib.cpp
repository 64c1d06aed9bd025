#include "CTagLib.h"
#include "DescriptorStream.h"

#include <aifffile.h>
#include <apefile.h>
#include <apetag.h>
#include <flacfile.h>
#include <id3v2framefactory.h>
#include <id3v2header.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpcfile.h>
#include <mpegfile.h>
#include <oggflacfile.h>
#include <opusfile.h>
#include <textidentificationframe.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <wavpackfile.h>
#include <xiphcomment.h>

#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

struct Field {
  std::string name, value;
  tag_place place;
};

bool isSame(const TagLib::String &one, const TagLib::String &other) { return one.upper() == other.upper(); }

/* The name of a free field of MP4, `----:MEAN:NAME`, without what stands before it; empty for other items. */
TagLib::String freeName(const TagLib::String &key) {
  if (!key.startsWith("----:")) return TagLib::String();
  int colon = key.find(":", 5);
  return colon < 0 ? TagLib::String() : key.substr(colon + 1);
}

const char *const appleMean = "----:com.apple.iTunes:";

} // namespace

struct tag_file {
  const tag_format format;
  DescriptorStream stream;
  std::unique_ptr<TagLib::File> file;
  // Of these, the ones that the format has.
  TagLib::Ogg::XiphComment *comments = nullptr;
  TagLib::ID3v2::Tag *frames = nullptr;
  TagLib::MP4::Tag *items = nullptr;
  TagLib::APE::Tag *ape = nullptr;
  int idVersion = 0;
  bool apeChanged = false;
  std::vector<Field> fields;

  tag_file(int descriptor, tag_format format, int64_t front, int64_t back)
      : format(format), stream(descriptor, front, back) {}

  bool open();
  void list();
  void remove(const TagLib::String &name);
  void add(const TagLib::String &name, const TagLib::String &value);
  bool save();

private:
  bool isCommentPacket();
  bool saveOggFLAC();
  bool openWithFrames();
  bool openWithItems();
  void removeFrames(const TagLib::String &name);
  TagLib::ID3v2::Version version() const {
    return idVersion >= 4 ? TagLib::ID3v2::v4 : TagLib::ID3v2::v3;
  }

  template <typename File> File *keep(File *opened) {
    file.reset(opened);
    return opened->isValid() ? opened : nullptr;
  }
};

bool tag_file::open() {
  using namespace TagLib;
  switch (format) {
  case TAG_FLAC:
    if (auto *flac = keep(new FLAC::File(&stream, ID3v2::FrameFactory::instance(), false)))
      comments = flac->xiphComment(true);
    return comments != nullptr;
  case TAG_OGG_VORBIS:
    if (auto *ogg = keep(new Ogg::Vorbis::File(&stream, false))) comments = ogg->tag();
    return comments != nullptr;
  case TAG_OGG_OPUS:
    if (auto *ogg = keep(new Ogg::Opus::File(&stream, false))) comments = ogg->tag();
    return comments != nullptr;
  case TAG_OGG_FLAC:
    if (auto *ogg = keep(new Ogg::FLAC::File(&stream, false))) comments = ogg->tag();
    return comments != nullptr && isCommentPacket();
  case TAG_MPEG:
  case TAG_WAV:
  case TAG_AIFF: return openWithFrames();
  case TAG_MP4:
    if (auto *mp4 = keep(new MP4::File(&stream, false))) items = mp4->tag();
    return items != nullptr;
  case TAG_WAVPACK:
  case TAG_MONKEYS:
  case TAG_MUSEPACK: return openWithItems();
  }
  return false;
}

/* The comments of FLAC in Ogg are a metadata block of their own packet, the second one. */
bool tag_file::isCommentPacket() {
  TagLib::ByteVector packet = static_cast<TagLib::Ogg::File *>(file.get())->packet(1);
  return packet.size() >= 4 && (packet[0] & 0x7F) == 4;
}

/* TagLib clears the flag of the last metadata block, after which decoders take sound for metadata. */
bool tag_file::saveOggFLAC() {
  auto *ogg = static_cast<TagLib::Ogg::File *>(file.get());
  TagLib::ByteVector content = comments->render(false);
  // The size of a block has 24 bits.
  if (content.size() >= 1u << 24) return false;
  TagLib::ByteVector packet = TagLib::ByteVector::fromUInt(content.size());
  packet[0] = ogg->packet(1)[0];
  packet.append(content);
  ogg->setPacket(1, packet);
  return ogg->TagLib::Ogg::File::save();
}

bool tag_file::openWithFrames() {
  using namespace TagLib;
  bool isThere = false;
  if (format == TAG_MPEG) {
    auto *mpeg = keep(new MPEG::File(&stream, ID3v2::FrameFactory::instance(), false));
    if (!mpeg) return false;
    isThere = mpeg->hasID3v2Tag();
    frames = mpeg->ID3v2Tag(true);
    if (mpeg->hasAPETag()) ape = mpeg->APETag();
  } else if (format == TAG_WAV) {
    auto *wav = keep(new RIFF::WAV::File(&stream, false));
    if (!wav) return false;
    isThere = wav->hasID3v2Tag();
    frames = wav->ID3v2Tag();
  } else {
    auto *aiff = keep(new RIFF::AIFF::File(&stream, false));
    if (!aiff) return false;
    isThere = aiff->hasID3v2Tag();
    frames = aiff->tag();
  }
  if (isThere && frames) idVersion = frames->header()->majorVersion();
  return frames != nullptr;
}

bool tag_file::openWithItems() {
  using namespace TagLib;
  if (format == TAG_WAVPACK) {
    if (auto *found = keep(new WavPack::File(&stream, false))) ape = found->APETag(true);
  } else if (format == TAG_MONKEYS) {
    if (auto *found = keep(new APE::File(&stream, false))) ape = found->APETag(true);
  } else if (auto *found = keep(new MPC::File(&stream, false))) {
    ape = found->APETag(true);
  }
  return ape != nullptr;
}

void tag_file::list() {
  using namespace TagLib;
  fields.clear();
  auto append = [this](const String &name, const StringList &values, tag_place place) {
    for (const auto &value : values) fields.push_back({name.to8Bit(true), value.to8Bit(true), place});
  };
  if (comments)
    for (const auto &field : comments->fieldListMap()) append(field.first, field.second, TAG_OWN);
  if (frames)
    for (auto *frame : frames->frameList()) {
      if (auto *text = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame)) {
        StringList values = text->fieldList();
        // The first one is the description.
        if (!values.isEmpty()) values.erase(values.begin());
        append(text->description(), values, TAG_OWN);
      } else if (frame->frameID() == "RVA2" || frame->frameID() == "RVAD") {
        append(String(frame->frameID()), StringList(String("")), TAG_VOLUME);
      }
    }
  if (items)
    for (const auto &item : items->itemMap()) {
      String name = freeName(item.first);
      if (!name.isEmpty()) append(name, item.second.toStringList(), TAG_OWN);
    }
  if (ape)
    for (const auto &item : ape->itemListMap())
      if (item.second.type() == APE::Item::Text)
        append(item.second.key(), item.second.values(), frames ? TAG_BESIDE : TAG_OWN);
}

void tag_file::removeFrames(const TagLib::String &name) {
  using namespace TagLib;
  ID3v2::FrameList found;
  for (auto *frame : frames->frameList()) {
    auto *text = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
    bool isVolume = frame->frameID() == "RVA2" || frame->frameID() == "RVAD";
    if (text ? isSame(text->description(), name) : isVolume && isSame(String(frame->frameID()), name))
      found.append(frame);
  }
  for (auto *frame : found) frames->removeFrame(frame);
}

void tag_file::remove(const TagLib::String &name) {
  using namespace TagLib;
  if (comments) comments->removeFields(name);
  if (frames) removeFrames(name);
  if (items) {
    StringList keys;
    for (const auto &item : items->itemMap())
      if (isSame(freeName(item.first), name)) keys.append(item.first);
    for (const auto &key : keys) items->removeItem(key);
  }
  if (ape && ape->itemListMap().contains(name.upper())) {
    ape->removeItem(name.upper());
    apeChanged = true;
  }
}

void tag_file::add(const TagLib::String &name, const TagLib::String &value) {
  using namespace TagLib;
  if (comments) {
    comments->addField(name, value, false);
  } else if (frames) {
    auto *frame = new ID3v2::UserTextIdentificationFrame(String::Latin1);
    frame->setDescription(name);
    frame->setText(value);
    frames->addFrame(frame);
  } else if (items) {
    items->setItem(String(appleMean) + name, MP4::Item(StringList(value)));
  } else if (ape) {
    ape->addValue(name, value);
    apeChanged = true;
  }
}

bool tag_file::save() {
  using namespace TagLib;
  switch (format) {
  case TAG_MPEG: {
    int kinds = MPEG::File::ID3v2 | (apeChanged ? MPEG::File::APE : 0);
    return static_cast<MPEG::File *>(file.get())
        ->save(kinds, File::StripNone, version(), File::DoNotDuplicate);
  }
  case TAG_WAV:
    return static_cast<RIFF::WAV::File *>(file.get())
        ->save(RIFF::WAV::File::ID3v2, File::StripNone, version());
  case TAG_OGG_FLAC: return saveOggFLAC();
  case TAG_AIFF: return static_cast<RIFF::AIFF::File *>(file.get())->save(version());
  default: return file->save();
  }
}

/* Answers what `body` does, or TAG_REFUSED when it throws. */
template <typename Body> static int guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return ENOMEM;
  } catch (...) {
    return TAG_REFUSED;
  }
}

tag_file *tag_file_open(
    int descriptor, enum tag_format format, int64_t front, int64_t back, int *failure) {
  tag_file *result = nullptr;
  *failure = guarded([&] {
    std::unique_ptr<tag_file> made(new tag_file(descriptor, format, front, back));
    bool isOpen = made->open();
    if (made->stream.failure() != 0) return made->stream.failure();
    if (!isOpen) return TAG_REFUSED;
    made->list();
    result = made.release();
    return 0;
  });
  return result;
}

void tag_file_close(tag_file *file) {
  guarded([&] { delete file; return 0; });
}

int64_t tag_file_count(const tag_file *file) { return static_cast<int64_t>(file->fields.size()); }

static const Field *field(const tag_file *file, int64_t index) {
  return index >= 0 && index < tag_file_count(file) ? &file->fields[index] : nullptr;
}

const char *tag_file_name(const tag_file *file, int64_t index) {
  const Field *found = field(file, index);
  return found ? found->name.c_str() : nullptr;
}

const char *tag_file_value(const tag_file *file, int64_t index) {
  const Field *found = field(file, index);
  return found ? found->value.c_str() : nullptr;
}

enum tag_place tag_file_place(const tag_file *file, int64_t index) {
  const Field *found = field(file, index);
  return found ? found->place : TAG_OWN;
}

int tag_file_id3_version(const tag_file *file) { return file->idVersion; }

int tag_file_remove(tag_file *file, const char *name) {
  return guarded([&] {
    file->remove(TagLib::String(name, TagLib::String::UTF8));
    file->list();
    return 0;
  });
}

int tag_file_add(tag_file *file, const char *name, const char *value) {
  return guarded([&] {
    file->add(TagLib::String(name, TagLib::String::UTF8), TagLib::String(value, TagLib::String::UTF8));
    file->list();
    return 0;
  });
}

int tag_file_save(tag_file *file) {
  int code = guarded([&] { return file->save() ? 0 : TAG_REFUSED; });
  return file->stream.failure() != 0 ? file->stream.failure() : code;
}
