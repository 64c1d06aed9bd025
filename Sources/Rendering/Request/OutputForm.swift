import LibAV

/// File format and encoding of the outputs.
public enum OutputForm: Sendable, Equatable {
  /// WAV or RF64 with PCM.
  case wav
  /// FLAC, a file of its own.
  case flac
  /// Fragmented MP4 with an encoded track; the bit rate, in bit/s, is for lossy encodings.
  case fragmentedMP4(AudioEncoding, bitRate: Int?)
  /// The same with HLS playlists beside it that play it by byte ranges, or with segments as files; the
  /// output's name is that of the multivariant playlist.
  case hls(AudioEncoding, bitRate: Int?)

  /// Fragmented MP4, or the same with HLS playlists, with the audio track's coded frames as they are.
  case copy(isHLS: Bool)

  /// Whether playlists belong to it.
  public var isHLS: Bool {
    switch self {
    case .hls, .copy(isHLS: true): return true
    default: return false
    }
  }

  /// Whether the sound is copied, not rendered.
  public var isCopy: Bool {
    if case .copy = self { return true }
    return false
  }

  /// The usual extension of its files.
  public var fileExtension: String {
    switch self {
    case .wav: return "wav"
    case .flac: return "flac"
    case .fragmentedMP4, .copy(isHLS: false): return "mp4"
    case .hls, .copy(isHLS: true): return "m3u8"
    }
  }

  /// The files that an output named `path` always has, in the order in which they appear: one, or
  /// movie, media playlist and multivariant playlist; no movie where segments are files.
  public func files(of path: String, hasSegmentFiles: Bool = false) -> [String] {
    guard isHLS else { return [path] }
    let names = HLSNames(path)
    guard !hasSegmentFiles else { return [names.audio.playlist, names.multivariant] }
    return [names.audio.movie, names.audio.playlist, names.multivariant]
  }

  /// Tracks of subtitles whose files are known beforehand.
  private static let mostSubtitles = 32

  /// All files that an output named `path` may have.
  public func possibleFiles(of path: String) -> [String] {
    guard isHLS else { return [path] }
    let names = HLSNames(path)
    let subtitles = (0..<OutputForm.mostSubtitles).map { names.subtitles($0) }
    return files(of: path) + [names.video.movie, names.video.playlist, names.folder]
      + subtitles.flatMap { [$0.movie, $0.playlist] }
  }

  /// Whether it can hold pictures, subtitles and chapters beside the sound.
  var isMovie: Bool { self != .wav && self != .flac }

  /// What people call a format without a place for them.
  var plainName: String { self == .flac ? "FLAC" : "WAV" }

  /// The encoding of its track; `nil` for WAV and copies.
  var encoding: AudioEncoding? {
    switch self {
    case .wav, .copy: return nil
    case .flac: return .flac
    case .fragmentedMP4(let encoding, _), .hls(let encoding, _): return encoding
    }
  }

  /// Whether reading the file back gives other samples than were written.
  var isLossy: Bool { encoding.map { !$0.isLossless } ?? false }
}
