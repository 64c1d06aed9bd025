import Rendering
import AudioCore
import LibAV

/// Works out file format and encoding from `-f`, `-c:a`, `-b:a` and the output's name.
enum OutputChoice {
  private static let extensions = [
    "wav": "wav", "mp4": "fmp4", "m4a": "fmp4", "flac": "flac", "m3u8": "hls",
  ]
  /// Extensions that promise a format that isn't written.
  private static let foreign: Set = [
    "mp3", "mov", "mkv", "mka", "webm", "aiff", "aif", "caf", "ogg", "oga", "opus", "aac", "ac3",
    "ec3", "eac3", "ac4", "wma", "ts", "m2ts", "avi", "w64", "au", "mpd",
  ]
  private static let bitRates = 8_000...2_000_000

  /// - Throws: ``MediaError`` of kind `usage` for combinations that don't exist, of kind
  ///   `unsupported-feature` for those that aren't there yet.
  static func form(
    format: String?, codec: String?, bitRate: String?, bits: String, output: String
  ) throws -> OutputForm {
    if format == nil, let ending = ending(of: output), foreign.contains(ending) {
      throw MediaError(
        .usage,
        "-o \(output): .\(ending) isn't written; give .wav, .flac, .mp4, .m4a or .m3u8, or -f")
    }
    let format = format ?? named(output) ?? "wav"
    let formats = ["wav", "flac", "fmp4", "hls"]
    guard formats.contains(format) else {
      throw MediaError(
        .usage, "-f \(format): unknown value; give one of \(formats.joined(separator: ", "))")
    }
    if format == "wav" || format == "flac" {
      return try plain(format, codec: codec, bitRate: bitRate, bits: bits)
    }
    if codec == "copy" {
      guard bitRate == nil else {
        throw MediaError(.usage, "-b:a: a copy keeps its bit rate; leave it out")
      }
      return .copy(isHLS: format == "hls")
    }
    guard let encoding = AudioEncoding(rawValue: codec ?? "aac") else {
      throw unknown(codec ?? "")
    }
    guard !encoding.isLossless || bitRate == nil else {
      throw MediaError(
        .usage, "-b:a: \(encoding.rawValue) is lossless and takes no bit rate; leave it out")
    }
    guard !encoding.isLossless || bits != "32f" else {
      throw MediaError(.usage, "-b 32f: \(encoding.rawValue) holds integers; give 16 or 24")
    }
    guard encoding != .pcm || format != "hls" else {
      throw MediaError(.usage, "-c:a pcm: HLS has no PCM; give aac, flac or alac")
    }
    let rate = try bitRate.map(rate)
    return format == "hls"
      ? .hls(encoding, bitRate: rate) : .fragmentedMP4(encoding, bitRate: rate)
  }

  /// Formats that hold sound alone, in one encoding.
  private static func plain(
    _ format: String, codec: String?, bitRate: String?, bits: String
  ) throws -> OutputForm {
    let (name, own) = format == "wav" ? ("WAV", "pcm") : ("FLAC", "flac")
    let codecs = ["pcm", "aac", "flac", "alac", "opus", "copy"]
    guard codecs.contains(codec ?? own) else { throw unknown(codec ?? "") }
    guard codec ?? own == own else {
      throw MediaError(
        .usage, "-c:a \(codec ?? ""): \(name) holds \(own); add -f fmp4 or leave -c:a out")
    }
    guard bitRate == nil else {
      throw MediaError(.usage, "-b:a: \(own) has no bit rate to choose; leave it out")
    }
    guard format == "wav" || bits != "32f" else {
      throw MediaError(.usage, "-b 32f: flac holds integers; give 16 or 24")
    }
    return format == "wav" ? .wav : .flac
  }

  /// Refuses a second output whose name asks for another format than the first one has.
  static func checkName(_ name: String, besides output: String, format: String?) throws {
    guard format == nil, let wanted = named(name), wanted != named(output) ?? "wav" else { return }
    throw MediaError(
      .usage,
      "--also \(name): all outputs of a run have one format, that of \(output); name it alike or "
        + "give -f")
  }

  /// The format that a file's extension stands for.
  private static func named(_ path: String) -> String? {
    ending(of: path).flatMap { extensions[$0] }
  }

  private static func ending(of path: String) -> String? {
    path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
  }

  private static func rate(_ text: String) throws -> Int {
    let isKilo = text.hasSuffix("k") || text.hasSuffix("K")
    guard let number = Double(isKilo ? String(text.dropLast()) : text), number.isFinite,
      bitRates.contains(Int(max(0, min(1e9, number)) * (isKilo ? 1000 : 1)))
    else {
      throw MediaError(.usage, "-b:a \(text): give 8k to 2000k bit/s")
    }
    return Int(number * (isKilo ? 1000 : 1))
  }

  private static func unknown(_ codec: String) -> MediaError {
    MediaError(
      .usage, "-c:a \(codec): unknown value; give one of pcm, aac, flac, alac, opus, copy")
  }
}
