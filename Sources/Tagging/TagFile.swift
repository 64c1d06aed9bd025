// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CTagLib
import Platform

/// The text fields of an open file, read and written by TagLib; owns the handle of CTagLib.
///
/// TagLib reads and writes through the caller's descriptor, so that no path is opened again. Its work is lossy at the
/// edges; ``OtherTags`` says what it lost.
package final class TagFile {
  /// Major version of the ID3v2 tag that the file has; `nil` for none.
  package let id3Version: Int?
  private let handle: OpaquePointer
  private let name: String

  /// Reads the tags of the file open at `descriptor`, which outlives this object; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `damaged`, `inputUnreadable` or `outOfResources`.
  package init(_ descriptor: Int32, _ file: TaggableFile, _ name: String) throws {
    guard let format = file.format.number else {
      throw MediaError(.internal, about: name, "TagLib has no \(file.format.rawValue)")
    }
    var failure: Int32 = 0
    let opened = tag_file_open(descriptor, format, file.front, file.back, &failure)
    guard let opened else {
      guard failure == TAG_REFUSED else { throw LocalFile.openFailure(name, failure) }
      throw MediaError(
        .damaged, about: name,
        "its \(file.format.rawValue) can't be read by TagLib; check it with another program")
    }
    handle = opened
    self.name = name
    let version = Int(tag_file_id3_version(opened))
    id3Version = version > 0 ? version : nil
  }

  deinit { tag_file_close(handle) }

  /// All text fields; one of several values counts once for each. Names of Vorbis comments are in upper case.
  package var fields: [TagField] {
    (0..<tag_file_count(handle)).compactMap { index in
      guard let name = tag_file_name(handle, index), let value = tag_file_value(handle, index)
      else { return nil }
      return TagField(
        name: String(cString: name), value: String(cString: value),
        place: TagFile.place(tag_file_place(handle, index)))
    }
  }

  /// Removes the fields called `name` in letters of any case.
  /// - Throws: ``MediaError`` of kind `outOfResources` or `internal`.
  package func remove(_ name: String) throws { try check(tag_file_remove(handle, name)) }

  /// Adds a field, whose name and value are ASCII.
  /// - Throws: ``MediaError`` of kind `outOfResources` or `internal`.
  package func add(_ field: TagField) throws {
    try check(tag_file_add(handle, field.name, field.value))
  }

  /// Writes the tags to the file, which may be half written when this fails.
  /// - Throws: ``MediaError`` of kind `diskFull`, `outputUnwritable`, `outOfResources` or `internal`.
  package func save() throws { try check(tag_file_save(handle)) }

  private func check(_ code: Int32) throws {
    guard code != TAG_REFUSED else {
      throw MediaError(.internal, about: name, "TagLib can't write its tags; report this file")
    }
    try OutputFailure.check(code, name)
  }

  private static func place(_ place: tag_place) -> TagField.Place {
    switch place {
    case TAG_BESIDE: .beside
    case TAG_VOLUME: .volume
    default: .own
    }
  }
}

extension TagFormat {
  /// The format as CTagLib counts them; `nil` for one that TagLib doesn't have.
  fileprivate var number: tag_format? {
    switch self {
    case .flac: TAG_FLAC
    case .oggVorbis: TAG_OGG_VORBIS
    case .oggOpus: TAG_OGG_OPUS
    case .oggFLAC: TAG_OGG_FLAC
    case .mpeg: TAG_MPEG
    case .mp4: TAG_MP4
    case .wav: TAG_WAV
    case .aiff: TAG_AIFF
    case .wavPack: TAG_WAVPACK
    case .monkeysAudio: TAG_MONKEYS
    case .musepack: TAG_MUSEPACK
    case .matroska: nil
    }
  }
}
