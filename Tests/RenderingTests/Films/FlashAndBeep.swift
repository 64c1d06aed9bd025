// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A film whose pictures flash white for one frame, and whose sound beeps, at every full second from
/// second 1 on; and the times of flashes and beeps in files made of it, by ffprobe and ffmpeg.
struct FlashAndBeep {
  static let seconds = 8

  let path: String

  /// Makes a film; the sound is FLAC at 48 kHz unless `audio` says otherwise.
  init(
    _ folder: TemporaryFolder, name: String, codec: [String] = FlashAndBeep.h264,
    audio: [String] = ["-c:a", "flac"], rate: String = "25", extra: [String] = []
  ) throws {
    path = folder.file(name)
    let video =
      "color=black:s=160x90:r=\(rate):d=\(FlashAndBeep.seconds),"
      + "drawbox=c=white:t=fill:enable='lt(mod(t+0.001,1),0.04)*gte(t,0.5)'"
    let sound =
      "aevalsrc='if(lt(mod(t,1),0.01)*gte(t,0.5),0.5*sin(2*PI*1000*t),0)"
      + "+0.0005*sin(2*PI*300*t)':s=48000:d=\(FlashAndBeep.seconds)"
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", video, "-f", "lavfi", "-i", sound] + codec + audio
        + ["-pix_fmt", "yuv420p"] + extra + [path])
  }

  static let h264 = ["-c:v", "libx264", "-bf", "3", "-g", "25", "-preset", "fast"]

  /// Copies the streams of a film into another file, with ffmpeg's own options in front and behind.
  init(copying film: FlashAndBeep, _ folder: TemporaryFolder, name: String, delay: String? = nil)
    throws
  {
    path = folder.file(name)
    let shift = delay.map { ["-itsoffset", $0] } ?? []
    try FixtureStore.ffmpeg(
      ["-i", film.path] + shift + ["-i", film.path, "-map", "0:v", "-map", "1:a", "-c", "copy"]
        + ["-strict", "-2", path])
  }

  /// Times of `kind` (`v` or `a`) from ffprobe, in seconds.
  static func times(_ path: String, _ kind: String) throws -> [Double] {
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "\(kind):0", "-show_entries",
        "frame=best_effort_timestamp_time", "-of", "csv=p=0", path,
      ])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap {
      Double($0.trimmingCharacters(in: CharacterSet(charactersIn: ", \r")))
    }
  }

  /// MD5 of every decoded picture.
  static func pictures(_ path: String) throws -> [Substring] {
    let result = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-f", "framemd5", "-",
      ])
    let sums = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last }
    // Two files without pictures would be alike.
    guard result.status == 0, Set(sums).count > 1 else {
      throw ToolFailure(text: "\(path): no pictures that differ: \(result.errors)")
    }
    return sums
  }

  /// Sound minus picture in seconds at the flashes of a film at `rate` pictures a second: where each
  /// beep begins in the decoded sound, against when its flash is shown.
  static func lags(_ path: String, rate: Double = 25) throws -> [Double] {
    let shown = try times(path, "v").sorted()
    let begin = try times(path, "a").first ?? 0
    let sound = try Decoded(path)
    let flashes = (1..<seconds).map { Int((Double($0) * rate).rounded(.up)) }
      .filter { $0 < shown.count }
    return zip(onsets(sound), flashes).map { onset, flash in
      begin + Double(onset) / Double(sound.rate) - shown[flash]
    }
  }

  /// First samples of the beeps: sample 0 of a beep is zero, the next (0.065) stands out from what an encoder puts before it.
  private static func onsets(_ sound: Decoded) -> [Int] {
    var found: [Int] = []
    var quiet = Int.min / 2
    for (index, sample) in sound.planes[0].enumerated() where sample.magnitude > 0.04 {
      if index - quiet > sound.rate / 2 { found.append(index - 1) }
      quiet = index
    }
    return found
  }
}
