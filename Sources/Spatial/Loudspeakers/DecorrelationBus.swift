import AudioCore

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
