import AudioCore
import MediaIn

/// All channels of a short sound file that holds responses, not a programme.
struct SoundPlanes {
  /// The channels, equally long.
  let planes: [[Float]]
  /// Samples a second.
  let rate: Int

  /// Reads the file at `path`, which keeps to `bounds` and has at most `limit` samples. A `layout` takes the place of what the file
  /// says of its channels, whose places don't matter. Doubts go to `log`.
  /// - Throws: ``MediaError`` when it can't be read, is damaged, a playlist, too long or empty.
  init(
    path: String, _ bounds: InputBounds, layout: ChannelLayout? = nil, limit: Int,
    _ log: DiagnosticLog
  ) throws {
    var clip = Clip(.file(path))
    clip.decoding.damage = .fail
    clip.decoding.bounds = bounds
    clip.decoding.bounds.isOffline = true
    clip.decoding.layout = layout
    let input = try MediaInput(
      path: path, track: clip.decoding.track, bounds: clip.decoding.bounds, log: log,
      isCancelled: { false })
    // What a playlist names isn't in the digest that reports and caches know the file by.
    guard input.presentation == nil else {
      throw MediaError(
        .usage, about: path, "is a playlist, so it is no impulse response; give a sound file")
    }
    let source = try input.open(clip, log: log).source
    let bed = try BedSource(source, for: "a file of impulse responses")
    let all = AudioBuffer(channels: bed.format.channels)
    var more = true
    while more {
      more = try bed.read(into: all)
      guard all.frames <= limit else {
        throw MediaError(
          .usage, about: path,
          "is longer than \(limit) samples, so it is no impulse response; cut it")
      }
    }
    planes = (0..<all.channels).map { Array(all.channel($0)) }
    rate = bed.format.sampleRate
  }
}
