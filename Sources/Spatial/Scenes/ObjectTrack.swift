// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Follows one object on its way to the ears: turns its updates into voices, and its samples into what each voice plays. A voice
/// (``ObjectVoice``) is one sound with a place, which ``VoiceMixer`` plays through the responses of that place.
///
/// A ramp of up to 30° moves the voice; a wider one, and a jump, let another voice take over. Gains go
/// linearly in amplitude, as for loudspeakers (ITU-R BS.2127-0, 7.3.10). A jump takes 2 ms.
final class ObjectTrack {
  /// Index of the object's plane in the programme.
  let plane: Int
  /// The voices; the last one leads, the others are leaving.
  private(set) var voices: [ObjectVoice] = []
  /// Whether something of it goes to the ears as it is, to the diffuse bus, to the low-pass.
  private(set) var uses = TrackUses()

  private let maker: SoundMaker
  private let setting: TrackSetting
  private var motion: ObjectMotion
  /// Sample at which ``motion`` holds.
  private var clock = 0
  private var straight = [GainLine](repeating: GainLine(0), count: 2)
  private var diffuse: [GainLine] = []
  private var bass = GainLine(0)
  /// A ramp that was entered in its middle and goes on once the jump to that place is over.
  private var pending: (at: Int, motion: ObjectMotion)?

  /// Widest turn in degrees that a voice makes; beyond, another voice takes over.
  private static let widestTurn = 30.0
  /// Distance from the listener, 1 at the loudspeakers, within which a small step turns an object far round: voices take over there.
  private static let nearest = 0.1

  /// A track of the object in `plane` that begins with `motion` at sample 0.
  init(plane: Int, _ motion: ObjectMotion, _ maker: SoundMaker, _ setting: TrackSetting) {
    self.plane = plane
    self.maker = maker
    self.setting = setting
    self.motion = motion
    let sound = maker.sound(of: motion.state)
    let voice = makeVoice(sound, gain: GainLine(sound.direct))
    voice.startsExact = true
    voices = [voice]
    straight = [GainLine(sound.straight.x), GainLine(sound.straight.y)]
    diffuse = sound.diffuse.map { GainLine($0) }
    bass = GainLine(sound.bass)
    uses.note(sound)
    if !motion.isResting { turn(to: motion, at: 0, from: nil) }
  }

  /// Takes an update at sample `time`.
  func take(_ update: ObjectUpdate, at time: Int) {
    let before = motion.advanced(by: time - clock)
    let next = ObjectMotion(
      from: update.origin ?? before.state, to: update.state, ramp: update.ramp,
      lead: update.lead, elapsed: update.elapsed)
    pending = nil
    if let origin = update.origin, origin != before.state, next != before, !next.isResting {
      jump(to: next.state, at: time)
      let later = time + Int(setting.jump)
      pending = (later, next.advanced(by: later - time))
    } else {
      turn(to: next, at: time, from: update.elapsed > 0 ? nil : before.state)
    }
    motion = next
    clock = time
  }

  /// Sample at which a ramp goes on; `nil` for none.
  var pendingTime: Int? { pending?.at }

  /// Goes on with the ramp that waits for sample `time`.
  func resume(at time: Int) {
    guard let (_, motion) = pending else { return }
    pending = nil
    turn(to: motion, at: time, from: nil)
  }

  private func jump(to state: ObjectState, at time: Int) {
    change(
      to: maker.sound(of: state), at: time, Fade(start: Double(time), length: setting.jump),
      isJump: true)
  }

  private func turn(to next: ObjectMotion, at time: Int, from state: ObjectState?) {
    let left = next.ramp - Double(next.elapsed) - next.lead
    guard !next.isResting, next.ramp >= setting.jump, left > 0 else {
      jump(to: next.target, at: time)
      return
    }
    let isWhole = state != nil
    let fade = Fade(
      start: Double(time) - (isWhole ? next.lead : 0), length: isWhole ? next.ramp : left)
    change(to: maker.sound(of: next.target), at: time, fade, isJump: false)
  }

  /// Goes from what is heard at sample `time` to `sound` during `fade`.
  private func change(to sound: ObjectSound, at time: Int, _ fade: Fade, isJump: Bool) {
    let now = Double(time)
    uses.note(sound)
    for ear in 0..<2 { straight[ear].turn(to: sound.straight[ear], at: now, fade) }
    bass.turn(to: sound.bass, at: now, fade)
    let count = max(diffuse.count, sound.diffuse.count)
    diffuse += [GainLine](repeating: GainLine(0), count: count - diffuse.count)
    for index in diffuse.indices {
      let target = index < sound.diffuse.count ? sound.diffuse[index] : 0
      diffuse[index].turn(to: target, at: now, fade)
    }
    guard let lead = voices.last else { return }
    let here = lead.course.place(at: now)
    let there = sound.place.vector
    let angle = VoicePath.angle(here, there)
    let isSameShape = lead.course.lastShape == sound.shape
    let follows: Bool
    if isJump {
      follows = angle < 1e-6 && isSameShape
    } else {
      follows =
        angle <= ObjectTrack.widestTurn && sound.place.distance >= ObjectTrack.nearest
        && lead.course.lastShape.divergence == sound.divergence
        && lead.course.lastShape.isHeadLocked == sound.isHeadLocked
    }
    if follows {
      lead.gain.turn(to: sound.direct, at: now, fade)
      let shape = isSameShape ? sound.shape : lead.course.shape(at: now)
      lead.course.append(
        VoiceCourse.Leg(
          time: now, path: VoicePath(from: here, to: there, fade), shape: (shape, sound.shape),
          fade: fade), keeping: Double(setting.step + setting.history))
    } else {
      replace(lead, by: sound, at: now, fade)
    }
  }

  /// Another voice takes over from `lead`.
  private func replace(_ lead: ObjectVoice, by sound: ObjectSound, at now: Double, _ fade: Fade) {
    for voice in voices {
      // One that is leaving already doesn't stay longer.
      guard !voice.isLeaving || voice.gain.fade.end > fade.end else { continue }
      voice.gain.turn(to: 0, at: now, fade)
      voice.isLeaving = true
    }
    guard sound.direct > 0 || uses.hasVoice else {
      // Without a voice nothing is heard; it only has to know the place.
      lead.isLeaving = false
      lead.course = VoiceCourse(sound.place.vector, sound.shape)
      return
    }
    voices.append(makeVoice(sound, gain: GainLine(from: 0, to: sound.direct, fade)))
  }

  private func makeVoice(_ sound: ObjectSound, gain: GainLine) -> ObjectVoice {
    ObjectVoice(
      course: VoiceCourse(sound.place.vector, sound.shape), gain: gain,
      history: setting.history, step: setting.step, makeFilter: setting.makeFilter)
  }
}

extension ObjectTrack {
  func beginStep() { for voice in voices { voice.beginStep() } }

  /// Plays samples `offset` to `offset` + `count` − 1 of the step in `source`; the first of them is sample
  /// `time`.
  func play(
    _ source: UnsafePointer<Float>, offset: Int, count: Int, time: Int, into lanes: StepLanes
  ) {
    for voice in voices { voice.add(source, count: count, offset: offset, time: time) }
    let from = source + offset
    if uses.isStraight {
      for ear in 0..<2 {
        straight[ear].add(from, to: lanes.straight(ear) + offset, count: count, time: time)
      }
    }
    if uses.isDiffuse {
      for (index, line) in diffuse.enumerated() {
        line.add(from, to: lanes.diffuse(index) + offset, count: count, time: time)
      }
    }
    if uses.isBass { bass.add(from, to: lanes.bass + offset, count: count, time: time) }
  }

  /// Ends the step, appends voices that are heard to `heard`, and forgets those that have left by sample
  /// `end`.
  func endStep(at end: Int, into heard: inout [ObjectVoice]) {
    var hasLeft = false
    for voice in voices {
      if voice.endStep() {
        heard.append(voice)
      } else if voice.isLeaving, voice.gain.isZero(from: Double(end)) {
        hasLeft = true
      }
    }
    if hasLeft {
      voices.removeAll { $0.isLeaving && $0.isSilent && $0.gain.isZero(from: Double(end)) }
    }
  }
}

/// The settings that all tracks of a rendering share.
struct TrackSetting {
  /// Samples that are rendered together: some hops.
  let step: Int
  /// Samples before a hop that its transform has too.
  let history: Int
  /// Samples that a jump takes: 2 ms.
  let jump: Double
  /// Makes room for a filter.
  let makeFilter: () -> Buffer<Float>
}

/// The ways to the ears that an object has used so far.
struct TrackUses {
  private(set) var hasVoice = false
  private(set) var isStraight = false
  private(set) var isDiffuse = false
  private(set) var isBass = false

  /// Adds the ways of `sound`.
  mutating func note(_ sound: ObjectSound) {
    if sound.direct > 0 { hasVoice = true }
    if sound.straight != .zero { isStraight = true }
    if !sound.diffuse.isEmpty { isDiffuse = true }
    if sound.bass > 0 { isBass = true }
  }
}

/// The sound that objects send past their voices within one step: samples straight to the ears, to the low-pass, and
/// to the directions of the diffuse bus.
final class StepLanes {
  private let frames: Int
  private let floats: Buffer<Float>
  /// Samples for the diffuse bus, once something is diffuse.
  private var feeds: Buffer<Float>?

  /// Lanes of `frames` samples.
  init(frames: Int) {
    self.frames = frames
    floats = Buffer(aligned: 3 * frames)
  }

  /// Samples for the low-pass.
  var bass: UnsafeMutablePointer<Float> { floats.base }

  /// Samples for an ear, 0 or 1.
  func straight(_ ear: Int) -> UnsafeMutablePointer<Float> { floats.base + (1 + ear) * frames }

  /// Samples for a direction of the diffuse bus.
  func diffuse(_ direction: Int) -> UnsafeMutablePointer<Float> {
    if let feeds { return feeds.base + direction * frames }
    let made = Buffer(aligned: DiffuseDirections.all.count * frames)
    feeds = made
    return made.base + direction * frames
  }

  /// Whether anything was ever diffuse.
  var hasDiffuse: Bool { feeds != nil }

  /// Silences all lanes.
  func clear() {
    floats.base.update(repeating: 0, count: floats.count)
    if let feeds { feeds.base.update(repeating: 0, count: feeds.count) }
  }
}
