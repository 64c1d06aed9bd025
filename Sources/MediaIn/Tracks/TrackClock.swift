// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// The times of a track's packets in samples, and their greatest errors.
struct TrackClock {
  /// Sample rate of the programme, Hz. Until the first frame is decoded it is the container's.
  var sampleRate: Int
  /// Samples of the longest codec frame so far.
  private(set) var longestFrame: Int64 = 0
  /// Time, in samples, at which the next frame should begin; `nil` before the first stated time.
  private(set) var due: Int64?

  private let stream: StreamInfo
  private let container: ContainerInputTraits?
  private var framesVary = false

  /// A clock for `stream` in a container of this kind.
  init(_ stream: StreamInfo, in container: ContainerTraits) {
    self.stream = stream
    self.container = container.input
    isStored =
      container.input?.storesTimes == true && stream.codecTraits.framesBeginWithPackets
    sampleRate = stream.sound.sampleRate > 0 ? stream.sound.sampleRate : 48_000
  }

  /// Whether the times of packets can show a gap. Times of bare streams can't: they are sums of the
  /// frames' lengths.
  var isIndependent: Bool { container?.hasClock == true }

  /// Whether the times of packets show how much was lost where one is damaged.
  var showsLoss: Bool { container?.showsLoss == true }

  /// Whether each packet has a stored time, and it is that of its first frame.
  let isStored: Bool

  /// Greatest error of a timestamp, in samples; a deviation up to it counts as neither gap nor overlap.
  ///
  /// Stored times may be wrong by two ticks, or by just less than half a codec frame, so that the loss of
  /// one frame is still noticed. Other times may be wrong by a whole frame, because they are calculated
  /// from offsets of bytes and frames begin anywhere among those, or by a frame and two ticks, where a stored
  /// time is that of a packet which begins in the middle of a frame; at least 5 ms are allowed, for codecs with
  /// shorter frames.
  var tolerance: Int64 {
    // Numbers in the frames count samples, also where libavformat hands them out as times.
    switch (container?.clock, container?.placing) {
    case (.numbered, _), (.fromPlace, .frameNumber): return 0
    default: break
    }
    guard isStored else {
      let rounding = container?.storesTimes == true ? samples(2) : 0
      return max(longestFrame + rounding, samples(2), Int64(sampleRate / 200))
    }
    return max(longestFrame / 2 - 1, samples(2), 1)
  }

  /// Samples of every codec frame so far; 0 once two of them differ.
  var codecFrame: Int64 { framesVary ? 0 : longestFrame }

  /// Greatest error of a jump's length, in samples; 0 where every sample falls on a tick. Two ticks are
  /// allowed: both ends of the jump are rounded to ticks, and times inside a laced Matroska block are
  /// rounded twice.
  var uncertainty: Int64 {
    let base = stream.timeBase
    let isExact = base.numerator == 1 && base.denominator % Int64(sampleRate) == 0
    return isExact ? 0 : max(1, samples(2))
  }

  /// Whether durations in ticks give exact numbers of samples: a tick is no longer than four samples, and
  /// the tick rate is a multiple or a divisor of the sample rate.
  var countsSamples: Bool {
    let base = stream.timeBase
    let rate = Int64(sampleRate)
    return base.numerator == 1 && base.denominator * 4 >= rate
      && (base.denominator % rate == 0 || rate % base.denominator == 0)
  }

  /// `ticks` of the stream in samples.
  func samples(_ ticks: Int64) -> Int64 { stream.samples(ticks, at: sampleRate) }

  /// A timestamp in samples; `nil` from ±2^60 on, where sums could leave 64 bits.
  func position(_ ticks: Int64) -> Int64? {
    let position = samples(ticks)
    return position.magnitude < 1 << 60 ? position : nil
  }

  /// Notes a codec frame of `length` samples that became `samples` samples at `position`.
  mutating func note(frame length: Int64, samples: Int64, at position: Int64?) {
    framesVary = framesVary || longestFrame > 0 && longestFrame != length
    longestFrame = max(longestFrame, length)
    due = (position ?? due).map { $0 + samples }
  }

  /// Goes on `count` samples later, which weren't read.
  mutating func pass(_ count: Int64) { due = due.map { $0 + count } }

  /// `ticks` of the stream in samples; `nil` where they aren't a whole number of samples.
  func wholeSamples(_ ticks: Int64) -> Int64? {
    let base = stream.timeBase
    let (product, isFar) = ticks.multipliedReportingOverflow(by: Int64(sampleRate))
    guard base.numerator == 1, base.denominator % Int64(sampleRate) == 0, !isFar,
      product % base.denominator == 0
    else { return nil }
    return product / base.denominator
  }

  /// `count` samples in ticks of the stream, rounded to nearest.
  func ticks(_ count: Int64) -> Int64 {
    let base = stream.timeBase
    return MediaTime.rescale(
      count, by: base.denominator, over: base.numerator * Int64(sampleRate))
  }

  /// A position in samples as `hh:mm:ss.mmm`.
  func text(_ position: Int64) -> String {
    MediaTime(ticks: position, rate: Int64(sampleRate)).description
  }
}
