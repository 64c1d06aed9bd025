// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Adds direct and diffuse sound: each channel's diffuse part goes through its filter, and the direct part
/// waits for it (ITU-R BS.2127-1, 7.4).
///
/// Filters work from the first sample on for which ``begin()`` was called; a programme without diffuse
/// sound costs no more than the delay.
final class DecorrelationBus {
  private let filters: [Int?]
  private let direct: AudioBuffer
  private var convolvers: [MonoConvolver?] = []
  private var wet: [AudioBuffer] = []
  private var received = 0
  private var emitted = 0

  /// Samples by which its output lags.
  static let latency = DecorrelationFilter.delay
  /// Samples by which its output outlasts the input behind the latency.
  static let tail = DecorrelationFilter.length - 1 - DecorrelationFilter.delay

  /// A bus of a channel for each of `filters`, numbers of filters; `nil` for channels that get no diffuse
  /// sound.
  init(filters: [Int?]) {
    self.filters = filters
    direct = AudioBuffer(channels: filters.count)
    direct.appendSilence(DecorrelationBus.latency)
  }

  /// Whether diffuse sound has begun.
  var isActive: Bool { !convolvers.isEmpty }

  /// Diffuse sound begins at the sample that comes next.
  func begin() {
    guard !isActive else { return }
    convolvers = filters.map { number in
      number.map { MonoConvolver(taps: DecorrelationFilter.taps($0)) }
    }
    wet = filters.map { _ in AudioBuffer(channels: 1) }
  }

  /// Consumes `frames` samples of each channel, `stride` floats apart, and appends what is ready to `output`.
  /// `diffuse` isn't read before ``begin()``.
  func process(
    direct source: UnsafePointer<Float>, diffuse: UnsafePointer<Float>, stride: Int, frames: Int,
    into output: AudioBuffer
  ) {
    let start = direct.grow(by: frames)
    for channel in filters.indices {
      guard let target = direct.channel(channel).baseAddress else { continue }
      (target + start).update(from: source + channel * stride, count: frames)
    }
    for (channel, convolver) in convolvers.enumerated() {
      convolver?.process([diffuse + channel * stride], frames: frames, into: wet[channel])
    }
    received += frames
    let ready = convolvers.enumerated().compactMap { $1 == nil ? nil : wet[$0].frames }.min()
    emit(ready ?? received - emitted, into: output)
  }

  /// Appends what is left.
  func finish(into output: AudioBuffer) {
    guard received > 0 else { return }
    let rest = received + DecorrelationBus.latency + DecorrelationBus.tail - emitted
    direct.appendSilence(max(0, rest - direct.frames))
    for (channel, convolver) in convolvers.enumerated() { convolver?.finish(into: wet[channel]) }
    emit(rest, into: output)
  }

  private func emit(_ count: Int, into output: AudioBuffer) {
    guard count > 0 else { return }
    let start = output.frames
    output.append(direct, range: 0..<count)
    direct.removeFirst(count)
    emitted += count
    for (channel, convolver) in convolvers.enumerated() where convolver != nil {
      guard let target = output.channel(channel).baseAddress.map({ $0 + start }),
        let source = wet[channel].channel(0).baseAddress
      else { continue }
      for index in 0..<count { target[index] += source[index] }
      wet[channel].removeFirst(count)
    }
  }
}

/// The all-pass filters that make the loudspeakers' diffuse parts differ (ITU-R BS.2127-1, 7.4). They are the
/// same at every sample rate.
enum DecorrelationFilter {
  /// Number of taps.
  static let length = 512
  /// Samples by which the direct part is delayed, so that it lies in the middle of the filters.
  static let delay = 255

  /// Taps of the filter of this number, in order.
  static func taps(_ number: Int) -> [Double] {
    var generator = MersenneTwister(seed: UInt32(number))
    let half = length / 2
    var re = [Double](repeating: 0, count: length)
    var im = re
    (re[0], re[half]) = (1, 1)
    for bin in 1..<half {
      let phase = 2 * Double.pi * Double(generator.next()) / 4_294_967_296
      (re[bin], im[bin]) = (cos(phase), sin(phase))
      (re[length - bin], im[length - bin]) = (re[bin], -im[bin])
    }
    DoubleFFT(length: length).inverse(&re, &im)
    return re.map { $0 / Double(length) }
  }
}

/// The generator MT19937 (M. Matsumoto, T. Nishimura: "Mersenne Twister", ACM TOMACS 8, 1998), seeded as
/// `init_genrand` does.
struct MersenneTwister {
  private var state: [UInt32]
  private var next624 = 624

  /// A generator whose sequence depends on `seed` only.
  init(seed: UInt32) {
    state = [seed]
    for index in 1..<624 {
      let last = state[index - 1]
      state.append(1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index))
    }
  }

  /// The next 32 random bits.
  mutating func next() -> UInt32 {
    if next624 == 624 { renew() }
    var bits = state[next624]
    next624 += 1
    bits ^= bits >> 11
    bits ^= (bits << 7) & 0x9D2C_5680
    bits ^= (bits << 15) & 0xEFC6_0000
    return bits ^ (bits >> 18)
  }

  private mutating func renew() {
    for index in 0..<624 {
      let joined = (state[index] & 0x8000_0000) | (state[(index + 1) % 624] & 0x7FFF_FFFF)
      let turned = (joined >> 1) ^ (joined & 1 == 0 ? 0 : 0x9908_B0DF)
      state[index] = state[(index + 397) % 624] ^ turned
    }
    next624 = 0
  }
}
