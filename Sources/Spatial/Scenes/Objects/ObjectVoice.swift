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

  /// As many samples as a transform takes: the history, then a hop.
  let input: AlignedFloats
  /// Filters at the end of the hop before; `nil` before the first hop and after silence.
  var filter: VoiceFilter?
  /// Whether its first filter is the designer's own: for voices that are there from the beginning.
  var startsExact = false
  /// Hops in a row for which the filter was asked for the same place and shape.
  var restingHops = 0

  /// Its reflections, once it had some.
  var reflections: ReflectionSource?

  private let hop: Int
  private let spare: [AlignedFloats]
  private var nextSpare = 0
  /// Samples of silence at the end of ``input``.
  private var silence: Int

  /// A voice with transforms of `length` points; `makeFilter` makes room for filters.
  init(
    course: VoiceCourse, gain: GainLine, length: Int, hop: Int,
    makeFilter: () -> AlignedFloats
  ) {
    self.course = course
    self.gain = gain
    self.hop = hop
    input = AlignedFloats(count: length)
    spare = [makeFilter(), makeFilter()]
    silence = length
  }

  /// Room for the next mixed filter, never that of ``filter``.
  func takeSpare() -> AlignedFloats {
    nextSpare = 1 - nextSpare
    return spare[nextSpare]
  }

  /// Moves ``input`` on by a hop, the new one silent.
  func beginHop() {
    guard silence < input.count else { return }
    input.base.update(from: input.base + hop, count: input.count - hop)
    (input.base + input.count - hop).update(repeating: 0, count: hop)
  }

  /// Adds `count` samples of the hop from `offset` on, the first of them sample `time`.
  func add(_ source: UnsafePointer<Float>, count: Int, offset: Int, time: Int) {
    gain.add(
      source + offset, to: input.base + input.count - hop + offset, count: count, time: time)
  }

  /// Ends the hop. Answers whether any sample of ``input`` isn't silent.
  func endHop() -> Bool {
    let first = input.base + input.count - hop
    var isSilent = true
    for index in 0..<hop where first[index] != 0 {
      isSilent = false
      break
    }
    silence = isSilent ? min(input.count, silence + hop) : 0
    return silence < input.count
  }

  /// Whether nothing but silence is left to be heard before sample `time`.
  var isSilent: Bool { silence >= input.count }
}
