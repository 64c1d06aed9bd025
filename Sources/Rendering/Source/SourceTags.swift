// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut

/// Tags of the source that an output can carry, and our own mark in its coding history.
package enum SourceTags {
  /// Changes of an output to the sound that tags speak of.
  package struct Fate: Sendable {
    /// Whether the coded sound is copied, so that statements about its level still hold.
    package var isCopied = false
    /// Whether times of the source are times of the output.
    package var keepsTimes = false

    /// The fate of sound that is rendered.
    package init(isCopied: Bool = false, keepsTimes: Bool = false) {
      (self.isCopied, self.keepsTimes) = (isCopied, keepsTimes)
    }
  }

  /// The tags an output gets. Tags that no longer hold are left out and reported in `log`; those that say how the
  /// source was made or stored are left out. Tags that are set take the place of the source's.
  package static func carried(
    _ tags: MediaTags, _ fate: Fate, _ carriage: Carriage, _ log: DiagnosticLog
  ) -> MediaTags {
    var kept = carriage.keepsMetadata ? holding(tags, fate, log) : MediaTags()
    for tag in carriage.tags { kept[tag.name] = tag.value }
    return kept
  }

  /// The source's tags that hold for the output.
  private static func holding(
    _ tags: MediaTags, _ fate: Fate, _ log: DiagnosticLog
  ) -> MediaTags {
    var tags = tags
    tags.remove { isTechnical($0) || isChapter($0) }
    // A description that only repeats the title is one that a broadcast WAV file got for want of another.
    let title = tags["title"]
    tags.remove { $0.key == "description" && $0.value == title }
    if !fate.isCopied {
      noteLevels(tags.remove(where: isLevel), log)
    }
    if !fate.keepsTimes, !tags.remove(where: { $0.key == "cuesheet" }).isEmpty {
      log.decide(
        .leftOut, "the cue sheet among the tags",
        why: "its times are those of the source, and the output has others")
    }
    return tags
  }

  /// Reports tags of these names as levels that no longer hold.
  static func noteLevels(_ names: [String], _ log: DiagnosticLog) {
    guard !names.isEmpty else { return }
    log.decide(
      .leftOut, "loudness tags of the source (\(list(names)))",
      why: "they don't hold for the sound of the output")
  }

  /// Reports tags that the output has no place for.
  package static func noteLeftOut(
    _ names: [String], of container: String, _ log: DiagnosticLog
  ) {
    guard !names.isEmpty else { return }
    log.degrade(
      .tagsLeftOut,
      "\(container) has no place for the tags \(list(names)), which are left out; "
        + "\(setting: .leavesTagsOut) says that they may go")
  }

  /// Reports chunks of WAV that outputs don't have.
  static func noteChunks(_ chunks: [String], _ log: DiagnosticLog) {
    guard !chunks.isEmpty else { return }
    log.degrade(
      .tagsLeftOut,
      "\(list(chunks)) of the source are left out, because no output has a place for them; "
        + "\(setting: .leavesTagsOut) says that it may go")
  }

  /// Names in words; a hostile file may have thousands.
  private static func list(_ names: [String]) -> String {
    let most = 20
    let rest = names.count > most ? ["and \(names.count - most) more"] : []
    return (names.prefix(most) + rest).joined(separator: ", ")
  }

  /// Names of tags that say how the source was made or stored.
  private static let technical: Set = [
    "encoder", "encoder_options", "encoder_settings", "encodersettings", "encoding_settings",
    "encoding", "encoded_date", "tagged_date", "encoding_time", "tlen", "tsse",
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id",
    "creation_time", "duration", "timecode", "coding_history", "time_reference", "umid",
    "origination_date", "origination_time", "originator", "originator_reference",
    "loudness_value", "loudness_range", "max_true_peak_level", "max_momentary_loudness",
    "max_shortterm_loudness", "itunsmpb", "itunpgap", "bps", "number_of_frames",
    "number_of_bytes", "waveformatextensible_channel_mask", "encoding params", "tdtg", "tden",
    "tflt", "tsiz", "wmfsdkversion", "wmfsdkneeded", "isvbr", "deviceconformancetemplate",
  ]
  /// Beginnings of such names: statistics of Matroska, which may have a language, keys of encryption, and programs' own data in ID3.
  private static let technicalPrefixes = [
    "_statistics_", "bps-", "duration-", "number_of_frames-", "number_of_bytes-", "enc_",
    "id3v2_priv.",
  ]

  private static func isTechnical(_ entry: MediaTags.Entry) -> Bool {
    // A maker's mark of ours is written anew.
    if entry.key == "encoded_by" {
      return entry.value == "Pinna" || entry.value.hasPrefix("Pinna ")
    }
    let key = entry.name.lowercased()
    return technical.contains(entry.key) || technical.contains(key)
      || technicalPrefixes.contains(where: key.hasPrefix)
  }

  /// Whether the tag states a level or a gain.
  private static func isLevel(_ entry: MediaTags.Entry) -> Bool {
    statesLevel(entry.key)
  }

  /// Whether a tag of this name states a level or a gain.
  static func statesLevel(_ name: String) -> Bool {
    ["replaygain_", "r128_", "loudness_", "itunnorm"].contains {
      name.lowercased().hasPrefix($0)
    }
  }

  /// Whether the tag is a chapter (Xiph.Org, "Chapter Extension"), which is carried as one: `CHAPTERnnn` with a time, and
  /// its `NAME`.
  private static func isChapter(_ entry: MediaTags.Entry) -> Bool {
    let digits = entry.key.dropFirst(7).prefix(3)
    guard entry.key.hasPrefix("chapter"), digits.count == 3, digits.allSatisfy(\.isNumber) else {
      return false
    }
    let rest = entry.key.dropFirst(10)
    // A text that is no time, hh:mm:ss.mmm, is no chapter.
    let time = entry.value.split(separator: ":")
    return rest == "name" || rest.isEmpty && time.count == 3 && time[2].contains(".")
  }

  /// Coding history (EBU R 98): the source's own lines, then ours.
  package static func history(
    _ tags: MediaTags, format: AudioFormat, encoding: SampleEncoding, step: String
  ) -> String {
    var lines = (tags["coding_history"] ?? "").split(whereSeparator: \.isNewline).map {
      String($0)
    }
    let mode = ["mono": "mono", "stereo": "stereo"][format.layout.name]
    var fields = ["A=PCM", "F=\(format.sampleRate)", "W=\(encoding.integerBits ?? 32)"]
    if let mode { fields.append("M=\(mode)") }
    fields.append("T=Pinna \(PinnaVersion.text); \(step)")
    lines.append(fields.joined(separator: ","))
    // The chunk written has room for two kilobytes; the oldest steps go first.
    while lines.count > 1, lines.reduce(0, { $0 + $1.utf8.count + 2 }) > 1800 {
      lines.removeFirst()
    }
    return lines.map { $0 + "\r\n" }.joined()
  }
}
