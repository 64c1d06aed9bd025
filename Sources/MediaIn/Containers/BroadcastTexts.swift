import AudioCore
import Platform

/// Description and originator of a broadcast WAV file (`bext`, EBU Tech 3285), which libavformat calls `comment` and `encoded_by`.
struct BroadcastTexts {
  /// Chunks that are looked through at most; real files have a dozen.
  private static let limit = 1024

  private let description: String
  private let originator: String

  /// The texts of `file`; `nil` where it is no WAV file with that chunk in front of the samples.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12,
      ["RIFF", "RF64", "BW64"].contains(where: { head.starts(with: $0.utf8) }),
      head[8...].elementsEqual("WAVE".utf8)
    else { return nil }
    var offset: Int64 = 12
    for _ in 0..<BroadcastTexts.limit {
      let chunk = file.bytes(at: offset, count: 8)
      guard chunk.count == 8, !chunk.starts(with: "data".utf8) else { return nil }
      if chunk.starts(with: "bext".utf8) {
        let fields = file.bytes(at: offset + 8, count: 256 + 32)
        guard fields.count == 256 + 32 else { return nil }
        description = BroadcastTexts.text(fields.prefix(256))
        originator = BroadcastTexts.text(fields.suffix(32))
        return
      }
      let size = chunk[4...].reversed().reduce(0) { $0 << 8 | Int64($1) }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// Gives the values that are these texts their names back.
  func correct(_ tags: inout MediaTags) {
    if !originator.isEmpty { tags.remove { $0.key == "encoded_by" && $0.value == originator } }
    guard !description.isEmpty,
      !tags.remove(where: { $0.key == "comment" && $0.value == description }).isEmpty
    else { return }
    tags.append("description", description)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = bytes.prefix { $0 != 0 }
    return String(validating: text, as: UTF8.self) ?? TextEncoding.windows1252.text(text) ?? ""
  }
}
