// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform

@testable import Tagging

/// The bytes are a file of Matroska whose sound gets loudness tags, other ones, and none again.
func fuzzTags(_ bytes: [UInt8]) {
  let path = FuzzInput.path(bytes, name: "tags.mka")
  guard let original = FuzzInput.file(bytes), let before = try? MatroskaTags(original, "input")
  else { return }
  let long = (0..<5).map { TagField(name: "REPLAYGAIN_TRACK_GAIN", value: "-\($0).00 dB") }
  for fields in [Array(long.prefix(1)), long, []] {
    guard let size = change(path, to: fields, like: before.others.map(\.name)) else { return }
    // Old tags that move leave Void behind.
    demand(size <= 2 * Int64(bytes.count) + 1000, "tags take the bytes that they have")
  }
  guard let kind = try? TaggableFile(original), let last = try? LocalFile(path: path),
    let lastKind = try? TaggableFile(last)
  else { return demand(false, "the file is still Matroska") }
  demand(
    (try? SoundBytes.areSame(original, kind, last, lastKind)) == true,
    "nothing but tags, SeekHead and Void changes")
}

/// Gives the file at `path` the fields.
/// - Returns: its size then; `nil` where that is refused.
private func change(_ path: String, to fields: [TagField], like others: [String]) -> Int64? {
  guard let file = try? LocalFile(path: path), let tags = try? MatroskaTags(file, "input"),
    let edit = try? MatroskaTagEdit(tags, fields, "input")
  else { return nil }
  guard let handle = FileHandle(forUpdatingAtPath: path),
    (try? edit.write(to: handle.fileDescriptor)) != nil
  else {
    demand(false, "changes are written")
    return nil
  }
  guard let now = try? LocalFile(path: path), let found = try? MatroskaTags(now, "input") else {
    demand(false, "a file with new tags is read")
    return nil
  }
  demand(
    LoudnessFields.among(found.fields, in: .matroska) == LoudnessFields.sorted(fields),
    "the file has exactly these tags")
  demand(found.others.map(\.name).sorted() == others.sorted(), "other tags stay")
  return now.size
}
