import AudioCore
import LibAV

/// The times of a track's packets in samples, and how far they can be believed.
struct TrackClock {
  /// Sample rate of the programme, Hz. Until the first frame is decoded it is the container's.
  var sampleRate: Int
  /// Samples of the longest codec frame so far.
  private(set) var longestFrame: Int64 = 0
  /// Time at which the next frame should begin; `nil` while none has been stated.
  private(set) var due: Int64?

  private let stream: StreamInfo
  private let container: ContainerInputTraits?
  private var framesVary = false

  /// A clock for `stream` in a container of this kind.
  init(_ stream: StreamInfo, in container: ContainerTraits) {
    self.stream = stream
    self.container = container.input
    sampleRate = stream.sound.sampleRate > 0 ? stream.sound.sampleRate : 48_000
  }

  /// Whether times say where packets lie; those of bare streams only repeat the frames' lengths.
  var isIndependent: Bool { container?.hasClock == true }

  /// Whether each packet has a stored time, and it is that of its first frame.
  var isStored: Bool {
    container?.storesTimes == true && stream.codecTraits.framesBeginWithPackets
  }

  /// Samples by which times may stray without a gap or an overlap.
  ///
  /// Stored times are no finer than two ticks and may shake by less than half a codec frame, so that the
  /// loss of a single frame stands out. Other times may be off by a whole frame: they follow the bytes,
  /// and frames begin anywhere in them. 5 ms cover frames that are shorter than that.
  var tolerance: Int64 {
    guard isStored else { return max(longestFrame, samples(2), Int64(sampleRate / 200)) }
    return max(longestFrame / 2 - 1, samples(2), 1)
  }

  /// Samples of every codec frame so far; 0 once two of them differ.
  var codecFrame: Int64 { framesVary ? 0 : longestFrame }

  /// Samples by which a jump may be misjudged. Both of its ends are rounded to ticks, which laced
  /// Matroska blocks do twice.
  var uncertainty: Int64 {
    let base = stream.timeBase
    let isExact = base.numerator == 1 && base.denominator % Int64(sampleRate) == 0
    return isExact ? 0 : max(1, samples(2))
  }

  /// Whether one tick is fine enough, and divides samples evenly enough, for durations to count samples.
  var countsSamples: Bool {
    let base = stream.timeBase
    let rate = Int64(sampleRate)
    return base.numerator == 1 && base.denominator * 4 >= rate
      && (base.denominator % rate == 0 || rate % base.denominator == 0)
  }

  /// `ticks` of the stream in samples.
  func samples(_ ticks: Int64) -> Int64 { stream.samples(ticks, at: sampleRate) }

  /// A timestamp in samples; `nil` for one so far off that it can't be calculated with.
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

  /// A position as a time of day.
  func text(_ position: Int64) -> String {
    MediaTime(ticks: position, rate: Int64(sampleRate)).description
  }
}
