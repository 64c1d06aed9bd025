import AudioCore
import Signal

/// Plays the downmix itself where objects are missing, with a cross-fade there and back.
///
/// The downmix waits here until the samples of the same time are written. It sounds as it is coded: the gain
/// that objects get (`joc_clipgain`) isn't meant for it.
struct DownmixFallback {
  /// Samples of a cross-fade, those of one access unit. Both sides hold the same programme, so their
  /// amplitudes add up.
  static let fade = ObjectMixer.frame

  /// Whether the downmix is to be heard.
  var isWanted = true
  /// Samples of the fade that are done: 0 for objects alone, ``fade`` for the downmix alone.
  private var step = DownmixFallback.fade
  private let planes: [Int]
  private let waiting: AudioBuffer
  private let shares = FixedBuffer<Float>(0, count: ObjectMixer.frame)

  /// A fallback to the planes of the downmix's channels.
  init(_ planes: [Int]) {
    self.planes = planes
    waiting = AudioBuffer(channels: planes.count, capacity: 4 * ObjectMixer.frame)
  }

  /// Whether nothing but the downmix is heard.
  var isAlone: Bool { step == DownmixFallback.fade }

  /// Begins with what is wanted, without a fade.
  mutating func begin(withDownmix isWanted: Bool) {
    self.isWanted = isWanted
    step = isWanted ? DownmixFallback.fade : 0
  }

  /// Takes the next samples of the downmix.
  func take(_ downmix: AudioBuffer) { waiting.append(downmix) }

  /// Brings the downmix into `count` samples of `audio` from `place` on, at most ``ObjectMixer/frame``.
  mutating func mix(into audio: AudioBuffer, at place: Int, count: Int) {
    defer { waiting.removeFirst(count) }
    guard isWanted || step > 0 else { return }
    for index in 0..<count {
      step = min(DownmixFallback.fade, max(0, step + (isWanted ? 1 : -1)))
      shares.base[index] = Float(step) / Float(DownmixFallback.fade)
    }
    for plane in 0..<audio.channels {
      guard let base = audio.channel(plane).baseAddress else { continue }
      for index in 0..<count { base[place + index] *= 1 - shares.base[index] }
    }
    for (channel, plane) in planes.enumerated() {
      guard let base = audio.channel(plane).baseAddress,
        let source = waiting.channel(channel).baseAddress
      else { continue }
      for index in 0..<count { base[place + index] += shares.base[index] * source[index] }
    }
  }

  /// Appends samples of the downmix to `audio` as they are.
  func append(_ downmix: AudioBuffer, to audio: AudioBuffer) {
    let place = audio.frames
    audio.appendSilence(downmix.frames)
    for (channel, plane) in planes.enumerated() {
      guard let base = audio.channel(plane).baseAddress,
        let source = downmix.channel(channel).baseAddress
      else { continue }
      (base + place).update(from: source, count: downmix.frames)
    }
  }
}
