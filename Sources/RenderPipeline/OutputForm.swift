import LibAV

/// File format and encoding of the outputs.
public enum OutputForm: Sendable, Equatable {
  /// WAV or RF64 with PCM.
  case wav
  /// Fragmented MP4 with an encoded track; the bit rate, in bit/s, is for lossy encodings.
  case fragmentedMP4(AudioEncoding, bitRate: Int?)
  /// The same with HLS playlists beside it that play it by byte ranges; the output's name is that of
  /// the multivariant playlist.
  case hls(AudioEncoding, bitRate: Int?)

  /// The usual extension of its files.
  public var fileExtension: String {
    switch self {
    case .wav: return "wav"
    case .fragmentedMP4: return "mp4"
    case .hls: return "m3u8"
    }
  }

  /// The files that an output named `path` always has, in the order in which they appear: one, or
  /// movie, media playlist and multivariant playlist.
  public func files(of path: String) -> [String] {
    guard case .hls = self else { return [path] }
    let names = HLSNames(path)
    return [names.audio.movie, names.audio.playlist, names.multivariant]
  }

  /// All files that an output named `path` may have.
  public func possibleFiles(of path: String) -> [String] {
    guard case .hls = self else { return [path] }
    let names = HLSNames(path)
    return files(of: path) + [names.video.movie, names.video.playlist]
  }

  /// The encoding of its MP4 track; `nil` for WAV.
  var encoding: AudioEncoding? {
    switch self {
    case .wav: return nil
    case .fragmentedMP4(let encoding, _), .hls(let encoding, _): return encoding
    }
  }

  /// Whether reading the file back gives other samples than were written.
  var isLossy: Bool { encoding.map { !$0.isLossless } ?? false }
}
