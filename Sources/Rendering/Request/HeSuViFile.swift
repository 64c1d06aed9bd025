import AudioCore
import MediaIn
import Platform
import Spatial

/// WAV files with the responses of seven loudspeakers, as HeSuVi reads them.
enum HeSuViFile {
  /// Bytes in which the description of the samples is looked for.
  private static let head = 1 << 16

  /// The number of channels of `file`; `nil` where it is no WAV file.
  static func channels(_ file: LocalFile) -> Int? {
    let bytes = file.bytes(at: 0, count: Int(min(file.size, Int64(head))))
    guard bytes.count > 36, bytes.starts(with: "RIFF".utf8) || bytes.starts(with: "RF64".utf8),
      bytes[8..<12].elementsEqual("WAVE".utf8)
    else { return nil }
    var position = 12
    while position + 12 <= bytes.count {
      if bytes[position..<position + 4].elementsEqual("fmt ".utf8) {
        return Int(bytes[position + 10]) + Int(bytes[position + 11]) << 8
      }
      let size = (0..<4).reduce(0) { $0 + Int(bytes[position + 4 + $1]) << (8 * $1) }
      position += 8 + size + size % 2
    }
    return 0
  }

  /// The set in the WAV file at `path` with so many `channels`.
  /// - Throws: ``MediaError`` for files that hold something else, and of kind `usage` for options that such a set can't follow.
  static func load(_ path: String, channels: Int, _ options: HRTFOptions) throws -> ChannelSet {
    guard options == HRTFOptions() else {
      throw MediaError(
        .usage, about: path,
        "is played as it is; leave out \(setting: .symmetry) off, \(setting: .delayScale) and \(setting: .headCircumference)"
      )
    }
    let name = PathParts.split(path).name
    // The channels are pairs of ears, whatever places the file names for them.
    let places = Speaker.allCases.filter { $0.rawValue < 18 }
    guard (1...places.count).contains(channels) else {
      throw MediaError(
        .inputUnreadable, about: name,
        "has \(channels) channels; a HeSuVi file has 14, or 7 for a symmetric head")
    }
    let limit = Int(ChannelSet.longest * 192_000)
    let sound = try SoundPlanes(
      path: path, InputBounds(), layout: ChannelLayout(Array(places.prefix(channels))),
      limit: limit,
      DiagnosticLog())
    return try ChannelSet(id: name, planes: sound.planes, rate: sound.rate)
  }
}
