import AudioCore
import MediaOut

/// Tags of the source that a WAV file can carry, and our own mark in its coding history.
enum SourceTags {
  /// Descriptive tags, from the container first, then the stream.
  static func tags(_ metadata: [String: String]) -> OutputTags {
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

  /// What the source says it was virtualised for; `nil` when it doesn't say.
  static func virtualization(_ metadata: [String: String]) -> Virtualization? {
    // WAV says so in its coding history, MP4 in the name of its encoder.
    let said = (metadata["coding_history"] ?? "") + " " + (metadata["encoder"] ?? "")
    return Virtualization.allCases.first { said.contains($0.mark) }
  }

  /// Coding history (EBU R 98): the source's own lines, then ours.
  static func history(
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
