import LibAV

/// One sound on its way through filters that may change from hop to hop: an object between two jumps, or a
/// channel for a loudspeaker.
final class ObjectVoice {
  /// Where it is heard, and how its filters are made.
  var course: VoiceCourse
  /// Its gain.
  var gain: GainLine
  /// Whether another voice has taken over and this one ends with its fade.
  var isLeaving = false

  /// Filters at the end of the hop before; `nil` before the first hop and after silence.
  var filter: VoiceFilter?
  /// Whether its first filter is the designer's own: for voices that are there from the beginning.
  var startsExact = false
  /// Hops in a row for which the filter was asked for the same place and shape.
  var restingHops = 0

  private let hop: Int
  /// Samples of a transform: the history, then a hop.
  private let length: Int
  /// Room for the samples of a transform and some hops, so that most hops needn't move the history.
  private let samples: AlignedFloats
  /// Where the samples of the transform begin.
  private var first = 0
  private let spare: [AlignedFloats]
  private var nextSpare = 0
  /// Samples of silence at the end of ``input``.
  private var silence: Int

  /// Hops after which the history is moved.
  private static let roomyHops = 4

  /// A voice with transforms of `length` points; `makeFilter` makes room for filters.
  init(
    course: VoiceCourse, gain: GainLine, length: Int, hop: Int,
    makeFilter: () -> AlignedFloats
  ) {
    self.course = course
    self.gain = gain
    self.hop = hop
    self.length = length
    samples = AlignedFloats(count: length + ObjectVoice.roomyHops * hop)
    spare = [makeFilter(), makeFilter()]
    silence = length
  }

  /// Room for the next mixed filter, never that of ``filter``.
  func takeSpare() -> AlignedFloats {
    nextSpare = 1 - nextSpare
    return spare[nextSpare]
  }

  /// As many samples as a transform takes: the history, then a hop.
  var input: UnsafeMutablePointer<Float> { samples.base + first }

  /// The hop's samples.
  private var newest: UnsafeMutablePointer<Float> { samples.base + first + length - hop }

  /// Moves ``input`` on by a hop, the new one silent.
  func beginHop() {
    guard silence < length else { return }
    first += hop
    if first + length > samples.count {
      samples.base.update(from: samples.base + first, count: length - hop)
      first = 0
    }
    newest.update(repeating: 0, count: hop)
  }

  /// Adds `count` samples of the hop from `offset` on, the first of them sample `time`.
  func add(_ source: UnsafePointer<Float>, count: Int, offset: Int, time: Int) {
    gain.add(source + offset, to: newest + offset, count: count, time: time)
  }

  /// Ends the hop. Answers whether any sample of ``input`` isn't silent.
  func endHop() -> Bool {
    let newest = newest
    var isSilent = true
    for index in 0..<hop where newest[index] != 0 {
      isSilent = false
      break
    }
    silence = isSilent ? min(length, silence + hop) : 0
    return silence < length
  }

  /// Whether nothing but silence is left to be heard before sample `time`.
  var isSilent: Bool { silence >= length }
}
