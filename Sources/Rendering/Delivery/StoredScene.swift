// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import MediaIn
import Platform

/// A written file as its metadata describe it, track by track.
struct StoredScene {
  /// The file as any reader gets it.
  let source: TrackSource
  /// Content of each track of the file.
  let contents: [PlaneContent]
  private let scene: ObjectScene
  /// The plane that plays each track.
  private let planes: [Int]
  private let target: OutputTarget

  /// Reads the metadata of `target`.
  /// - Throws: ``MediaError`` of kind `verification-failed` when the file can't be read, or when its metadata
  ///   don't play every track once, as it is.
  init(_ target: OutputTarget) throws {
    self.target = target
    do {
      let file = try target.openedFile()
      source = try TrackSource(
        input: MediaInput(file: file), decoding: InputOptions(), log: DiagnosticLog())
      guard let scene = try ObjectScene(file, ObjectOptions()) else {
        throw MediaError(.damaged, "it has no audio definition metadata")
      }
      self.scene = scene
    } catch let error as MediaError {
      throw target.unlike("it can't be read: \(error.message)")
    }
    let contents = PlaneContent.list(source.programme)
    guard let planes = StoredScene.planes(of: scene), planes.count == contents.count else {
      throw target.unlike("its metadata don't play every track once, as it is")
    }
    self.planes = planes
    self.contents = planes.map { contents[$0] }
  }

  /// Programme that the file describes.
  var programme: Programme { source.programme }

  /// Samples of each track.
  var frames: Int64 { scene.container.file.frames }

  /// Updates of the object in `track`; none where there is none.
  /// - Throws: ``MediaError`` of kind `verification-failed` for times that can't be added.
  func updates(of track: Int) throws -> [ObjectUpdate] {
    let plane = planes[track]
    guard var timeline = scene.layout.timelines.first(where: { $0.plane == plane })?.timeline
    else { return [] }
    var updates = [ObjectUpdate(plane: track, at: 0, state: timeline.start)]
    do {
      while let event = try timeline.advance() {
        updates.append(ObjectUpdate(plane: track, at: event.at, motion: event.motion))
      }
    } catch {
      throw target.unlike("\(error)")
    }
    return updates
  }

  /// The plane that plays each track; `nil` unless each plane plays a track of its own at its own level, without
  /// a delay, from the first sample to the last.
  private static func planes(of scene: ObjectScene) -> [Int]? {
    let frames = scene.container.file.frames
    let played =
      scene.bed?.tracks
      ?? scene.layout.planes.compactMap { plane in
        guard plane.terms.terms.count == 1, let term = plane.terms.terms.first, term.gain == 1,
          term.delay == 0, plane.gain == 1, plane.range.lowerBound <= 0,
          plane.range.upperBound >= frames
        else { return nil }
        return term.track
      }
    let tracks = scene.container.file.format.channels
    guard played.count == tracks, Set(played) == Set(0..<tracks) else { return nil }
    return (0..<tracks).compactMap { played.firstIndex(of: $0) }
  }
}

/// The content of one plane of a programme.
enum PlaneContent: Equatable, CustomStringConvertible {
  case channel(BedChannel)
  /// An object, or a loudspeaker's channel that may change.
  case object
  /// A component of a sound field: its ACN, the field's order, and which of the programme's fields it is.
  case component(Int, order: Int, field: Int)

  /// Content of each plane of `programme`.
  static func list(_ programme: Programme) -> [PlaneContent] {
    var (planes, fields): ([PlaneContent], Int) = ([], 0)
    for element in programme.elements {
      switch element {
      case .bed(let layout):
        planes += layout.speakers.indices.map { .channel(BedChannel($0, of: layout)) }
      case .object: planes.append(.object)
      case .scene(let order):
        planes += (0..<element.planes).map { .component($0, order: order, field: fields) }
        fields += 1
      }
    }
    return planes
  }

  /// The content in words.
  var description: String {
    switch self {
    case .channel(let channel): return "the channel \(channel.label)"
    case .object: return "an object"
    case .component(let number, let order, _):
      return "component \(number) of a sound field of order \(order)"
    }
  }
}

/// A channel of a bed: the place of its loudspeaker.
struct BedChannel: Equatable {
  /// Name of the loudspeaker by ITU-R BS.2051, e.g. `M+030` or `LFE1`.
  let label: String
  /// Direction of the loudspeaker; `nil` for an LFE channel, which has no place.
  let direction: Direction?

  /// Channel number `index` of `layout`.
  init(_ index: Int, of layout: ChannelLayout) {
    let speaker = layout.speakers[index]
    guard speaker.isLFE else {
      let direction = layout.direction(at: index)
      (label, self.direction) = (direction.label, direction)
      return
    }
    // One LFE channel is the first, whichever loudspeaker it is meant for.
    let isSecond = speaker == .lowFrequency2 && layout.speakers.contains(.lowFrequency)
    (label, direction) = (isSecond ? "LFE2" : "LFE1", nil)
  }

  /// Whether `state` is that of this channel at full level: renderers go by its labels, its place, the bounds
  /// of its place, and whether it is one for low frequencies.
  func isSame(as state: ObjectState) -> Bool {
    guard case .speaker(let channel) = state.rules.role,
      channel.isLFE == (direction == nil),
      channel.labels.isEmpty || channel.labels == [label],
      channel.least == SpeakerChannel.Bounds(), channel.greatest == SpeakerChannel.Bounds(),
      state.gain == 1, !state.rules.isHeadLocked, state.rules.headphones != .off
    else { return false }
    guard let direction else { return true }
    return StateComparison.isNear(state.position, .polar(direction, distance: 1))
  }
}

/// Walks through the motions of an object.
struct MotionCourse {
  private let updates: [ObjectUpdate]
  private var next = 0
  private var motion: ObjectMotion?
  private var clock: Int64 = 0

  /// The course that `updates` describe, in the order of their times.
  init(_ updates: [ObjectUpdate]) { self.updates = updates }

  /// The motion at `sample`, which never goes back; `nil` before the first update.
  mutating func motion(at sample: Int64) -> ObjectMotion? {
    while next < updates.count, updates[next].at <= sample {
      let update = updates[next]
      let before =
        motion?.advanced(by: Int(update.at - clock)) ?? ObjectMotion(restingIn: update.state)
      motion = update.motion(after: before)
      clock = update.at
      next += 1
    }
    return motion?.advanced(by: Int(sample - clock))
  }

  /// The first sample at which the object doesn't do what it should; `nil` when there is none. Compared are
  /// each update of both lists, the sample before it, and the first and last of `frames`.
  static func difference(
    of found: [ObjectUpdate], from wanted: [ObjectUpdate], frames: Int64
  ) -> Int64? {
    var (own, before, other) = (
      MotionCourse(wanted), MotionCourse(wanted), MotionCourse(found)
    )
    return places(wanted + found, frames).first { place in
      !StateComparison.isSame(
        other.motion(at: place)?.state, as: own.motion(at: place),
        after: before.motion(at: place - 1))
    }
  }

  /// The first sample at which an object isn't `channel` at full level; `nil` when there is none.
  static func difference(
    of updates: [ObjectUpdate], from channel: BedChannel, frames: Int64
  ) -> Int64? {
    var course = MotionCourse(updates)
    return places(updates, frames).first { place in
      !(course.motion(at: place).map { channel.isSame(as: $0.state) } ?? false)
    }
  }

  /// The samples that are compared.
  private static func places(_ updates: [ObjectUpdate], _ frames: Int64) -> [Int64] {
    (updates.flatMap { [$0.at - 1, $0.at] } + [0, frames - 1])
      .filter { (0..<frames).contains($0) }.sorted()
  }
}

/// Compares the states of two objects that should sound the same.
enum StateComparison {
  /// Most that a number may differ: times between samples become whole ones.
  private static let tolerance = 1e-6

  /// Whether two positions are the same, apart from rounding.
  static func isNear(_ one: ObjectPosition, _ other: ObjectPosition) -> Bool {
    isOfOneKind(one, other)
      && zip(one.coordinates, other.coordinates).allSatisfy { gap($0, $1) <= tolerance }
  }

  /// Whether `state` sounds as that of `motion`, which follows `before`. Of silent objects nothing but the
  /// silence counts; before its first state (`nil`) an object is silent.
  static func isSame(
    _ state: ObjectState?, as motion: ObjectMotion?, after before: ObjectMotion?
  ) -> Bool {
    guard let motion else { return state.map { $0.gain == 0 } ?? true }
    let wanted = motion.state
    guard let state else { return wanted.gain == 0 }
    if wanted.gain == 0, state.gain == 0 { return true }
    guard isOfOneKind(state.position, wanted.position) else { return false }
    let steps = [motion, before].compactMap { $0 }.map(step)
    for (index, (number, meant)) in zip(numbers(state), numbers(wanted)).enumerated() {
      // A ramp may be late by a thousandth of a sample.
      let step = steps.map { $0[index] }.max() ?? 0
      guard gap(number, meant) <= tolerance + step / 100 else { return false }
    }
    return hasSameRules(state.rules, wanted.rules)
  }

  private static func hasSameRules(_ found: ObjectRules, _ wanted: ObjectRules) -> Bool {
    isSame(found.role, as: wanted.role) && found.lock == wanted.lock && found.zones == wanted.zones
      && found.divergence == wanted.divergence && found.isHeadLocked == wanted.isHeadLocked
      // How much of a room is wanted isn't written; that nothing is virtualised is.
      && (found.headphones == .off) == (wanted.headphones == .off)
  }

  private static func isSame(_ found: ObjectRules.Role, as wanted: ObjectRules.Role) -> Bool {
    guard case .speaker(let channel) = found, case .speaker(var meant) = wanted else {
      return found == wanted
    }
    // A channel that its common pack can't describe leaves the pack.
    if channel.pack == nil { meant.pack = nil }
    return channel == meant
  }

  /// How far each number goes in the next sample of `motion`.
  private static func step(_ motion: ObjectMotion) -> [Double] {
    zip(numbers(motion.state), numbers(motion.advanced(by: 1).state)).map(gap)
  }

  private static func isOfOneKind(_ one: ObjectPosition, _ other: ObjectPosition) -> Bool {
    switch (one, other) {
    case (.polar, .polar), (.cartesian, .cartesian): return true
    default: return false
    }
  }

  private static func numbers(_ state: ObjectState) -> [Double] {
    state.position.coordinates + [
      state.gain, state.extent.width, state.extent.height, state.extent.depth, state.diffuse,
    ]
  }

  /// How far two numbers lie apart; azimuths of 180° and −180° are the same.
  private static func gap(_ one: Double, _ other: Double) -> Double {
    let gap = (one - other).magnitude
    return min(gap, (gap - 360).magnitude)
  }
}
