import AudioCore
import MediaOut

extension Virtualization {
  /// The mark that states it in a WAV file's coding history or in the name of an MP4 file's
  /// encoder.
  package var mark: String { "virtualized=\(rawValue)" }
}

/// Tags of the source that an output can carry, and our own mark in its coding history.
package enum SourceTags {
  /// Descriptive tags, from the container first, then the stream.
  package static func tags(_ metadata: [String: String]) -> OutputTags {
    var tags = OutputTags()
    tags.title = metadata["title"]
    tags.artist = metadata["artist"]
    tags.album = metadata["album"]
    tags.comment = metadata["comment"]
    tags.copyright = metadata["copyright"]
    tags.date = metadata["date"]
    tags.genre = metadata["genre"]
    tags.track = metadata["track"]
    return tags
  }

  /// The tags an output gets; what is left out or cut is reported in `log`.
  package static func carried(
    _ metadata: [String: String], _ carriage: Carriage, _ log: DiagnosticLog
  ) -> OutputTags {
    guard carriage.keepsMetadata else { return OutputTags() }
    var tags = tags(metadata)
    let missing = leftOut(metadata)
    if !missing.isEmpty {
      log.decide(
        .metadata, "left out: \(missing.joined(separator: ", "))",
        why: "the output has no place for these tags")
    }
    for name in tags.cutToFit() {
      log.degrade(
        .tagCut, "the \(name) tag is longer than \(OutputTags.longest) bytes and was cut")
    }
    return tags
  }

  /// Names of the tags that ``tags(_:)`` takes.
  static let carriedNames: Set = [
    "title", "artist", "album", "comment", "copyright", "date", "genre", "track",
  ]

  /// Names of tags that ``tags(_:)`` has no place for; technical ones, which say how the source was
  /// made or stored, aren't missed.
  package static func leftOut(_ metadata: [String: String]) -> [String] {
    let technical: Set = [
      "encoder", "encoded_by", "major_brand", "minor_version", "compatible_brands", "language",
      "handler_name", "vendor_id", "creation_time", "duration", "itunsmpb", "coding_history",
      "time_reference", "umid", "origination_date", "origination_time", "originator",
      "originator_reference", "description", "timecode", "encoding_settings", "bps",
      "number_of_frames", "number_of_bytes",
    ]
    return metadata.keys.filter { key in
      !carriedNames.contains(key) && !technical.contains(key) && !key.hasPrefix("_")
        && !key.hasPrefix("replaygain") && !key.hasPrefix("bps-") && !key.hasPrefix("r128_")
        && !key.hasPrefix("loudness_") && !key.hasPrefix("enc_")
    }.sorted()
  }

  /// What the source was virtualised for according to its tags; `nil` when they don't state it.
  package static func virtualization(_ metadata: [String: String]) -> Virtualization? {
    // WAV states it in its coding history, MP4 in the `encoder` tag, FLAC and Ogg in `encoded_by`.
    let said = ["coding_history", "encoder", "encoded_by"].compactMap { metadata[$0] }
      .joined(separator: " ")
    return Virtualization.allCases.first { said.contains($0.mark) }
  }

  /// Coding history (EBU R 98): the source's own lines, then ours.
  package static func history(
    _ metadata: [String: String], format: AudioFormat, encoding: SampleEncoding, step: String
  ) -> String {
    var lines = (metadata["coding_history"] ?? "").split(whereSeparator: \.isNewline).map {
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
