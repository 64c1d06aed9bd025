import AudioCore
import MediaIn
import Platform
import Spatial
import Verify

/// WAV files with the responses of seven loudspeakers, as HeSuVi reads them.
package enum HeSuViFile {
  /// Bytes in which the description of the samples is looked for.
  private static let head = 1 << 16
  /// Largest file, in bytes.
  private static let largest = 64 << 20

  /// Whether the file at `path` is WAV with as many channels as such a set has.
  package static func looksLikeASet(_ path: String) -> Bool {
    guard let file = try? LocalFile(path: path) else { return false }
    return channels(file).map(ChannelSet.channelCounts.contains) ?? false
  }

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

  /// The set in the WAV `file` with so many `channels`, as its header says.
  /// - Throws: ``MediaError`` for files that hold something else or are damaged, and of kind `usage` for options that such a set
  ///   can't follow.
  static func load(
    _ file: LocalFile, channels: Int, _ options: HRTFOptions
  ) throws -> HRTFLoader.Loaded {
    let path = file.path
    let name = PathParts.split(path).name
    func refusal(_ what: String) -> MediaError { MediaError(.inputUnreadable, about: name, what) }
    guard ChannelSet.channelCounts.contains(channels) else {
      throw refusal(
        (channels == 0 ? "has a header that isn't understood" : "has \(channels) channels")
          + "; a HeSuVi file has 14, or 7 for a symmetric head")
    }
    guard file.size <= Int64(largest) else {
      throw refusal("has \(file.size) bytes, more than a set has; give another file")
    }
    try HRTFLoader.checkPlain(options, of: name)
    let sha256 = PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
    let log = DiagnosticLog()
    // The channels are pairs of ears, whatever places the file names for them.
    let places = Array(Speaker.allCases.filter { $0.rawValue < 18 }.prefix(channels))
    let sound = try SoundPlanes(
      path: path, InputBounds(), layout: ChannelLayout(places),
      limit: Int(ChannelSet.longest * 96_000), log)
    if let doubt = log.degradations.first { throw refusal("is damaged: \(doubt.message)") }
    guard !file.hasChanged, file.isSameFile(as: path) else {
      throw refusal("changed while it was read; try again")
    }
    return HRTFLoader.Loaded(
      content: .channels(try ChannelSet(id: name, planes: sound.planes, rate: sound.rate)),
      sha256: sha256)
  }
}
