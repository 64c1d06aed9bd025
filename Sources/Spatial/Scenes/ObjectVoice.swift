import LibAV

/// One sound on its way through filters that may change from hop to hop: an object between two jumps, or a
/// channel for a loudspeaker.
final class ObjectVoice {
  /// Where it is heard, and how its filters are made.
  var course: VoiceCourse { didSet { isNewCourse = true } }
  /// Its gain.
  var gain: GainLine
  /// Whether another voice has taken over and this one ends with its fade.
  var isLeaving = false

  /// Filters at the end of the hop before; `nil` before the first hop and after silence.
  var filter: VoiceFilter?
  /// Whether its first filter is the designer's own: for voices that are there from the beginning.
  var startsExact = false
  /// Whether ``course`` may have changed since ``filter`` was made.
  var isNewCourse = true
  /// Hops in a row for which the filter was asked for the same place and shape.
  var restingHops = 0

  /// Its reflections, once it had some.
  var reflections: ReflectionSource?

  private let step: Int
  private let history: Int
  /// Room for the history and some steps, so that most steps needn't move the history.
  private let samples: AlignedFloats
  /// Where the history of the step begins.
  private var first = 0
  private let spare: [AlignedFloats]
  private var nextSpare = 0
  /// Samples of silence at the end of history and step.
  private var silence: Int

  /// Steps that there is room for.
  private static let room = 4

  /// A voice whose samples come in steps of `step`, and of which as many as `history` are kept; `makeFilter`
  /// makes room for filters.
  init(
    course: VoiceCourse, gain: GainLine, history: Int, step: Int,
    makeFilter: () -> AlignedFloats
  ) {
    self.course = course
    self.gain = gain
    self.step = step
    self.history = history
    samples = AlignedFloats(count: history + ObjectVoice.room * step)
    spare = [makeFilter(), makeFilter()]
    silence = history + step
  }

  /// The exact filter of the hop before, where it holds for the next one, too, from sample `time` to sample `end`: the
  /// voice and the head, as it is at both, rest.
  func restingFilter(from time: Int, to end: Int, head: (HeadState, HeadState)) -> AlignedFloats? {
    guard !isNewCourse, course.isResting, head.0.isResting, head.0 == head.1,
      let last = filter, last.isExact, last.time == time
    else { return nil }
    filter?.time = end
    restingHops += 1
    return last.planes
  }

  /// Room for the next mixed filter, never that of ``filter``.
  func takeSpare() -> AlignedFloats {
    nextSpare = 1 - nextSpare
    return spare[nextSpare]
  }

  /// The history, then the step.
  var input: UnsafePointer<Float> { UnsafePointer(samples.base + first) }

  /// The step's samples.
  var newest: UnsafeMutablePointer<Float> { samples.base + first + history }

  /// Moves ``input`` on by a step, the new one silent.
  func beginStep() {
    guard !isSilent else { return }
    first += step
    if first + history + step > samples.count {
      samples.base.update(from: samples.base + first, count: history)
      first = 0
    }
    newest.update(repeating: 0, count: step)
  }

  /// Adds `count` samples of the step from `offset` on, the first of them sample `time`.
  func add(_ source: UnsafePointer<Float>, count: Int, offset: Int, time: Int) {
    gain.add(source + offset, to: newest + offset, count: count, time: time)
  }

  /// Ends the step. Answers whether any sample of ``input`` isn't silent.
  func endStep() -> Bool {
    let newest = newest
    var isQuiet = true
    for index in 0..<step where newest[index] != 0 {
      isQuiet = false
      break
    }
    silence = isQuiet ? min(history + step, silence + step) : 0
    return !isSilent
  }

  /// Whether nothing but silence is left to be heard of the samples so far.
  var isSilent: Bool { silence >= history + step }
}
