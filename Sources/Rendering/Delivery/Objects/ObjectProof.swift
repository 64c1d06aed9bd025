import AudioCore
import LibAV
import Loudness
import MediaIn
import Platform
import Timeline

/// Reads a written BW64 file as any other input, and compares what its metadata say with what was meant.
struct ObjectProof {
  /// Most that a number may differ: times between samples become whole ones.
  private static let tolerance = 1e-6

  let target: OutputTarget
  /// What was written.
  let programme: Programme

  /// Loudness and spectrum of a file.
  struct Levels {
    let statistics: LoudnessStatistics
    let spectrum: [Double?]
  }

  /// Checks the metadata of channels for `layout`.
  /// - Returns: the layout that readers see.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they aren't as meant.
  func layout(_ layout: ChannelLayout) throws -> ChannelLayout {
    let read = try open().programme
    if read.elements.count == 1, case .bed(let found) = read.elements[0] {
      guard found.count == layout.count,
        layout.speakers.indices.allSatisfy({ index in
          layout.speakers[index].isLFE == found.speakers[index].isLFE
            && (layout.speakers[index].isLFE
              || layout.direction(at: index) == found.direction(at: index))
        })
      else { throw failure("its metadata describe \(read.contents)") }
      return found
    }
    try compareChannels(read, layout)
    return layout
  }

  /// Compares channels, which may be in another order, with the loudspeakers of `layout`. A layout that is
  /// none of the common definitions comes back as channels.
  private func compareChannels(_ channels: Programme, _ layout: ChannelLayout) throws {
    var places: [[Double]] = []
    for element in channels.elements {
      guard case .object(_, let state) = element, case .speaker(let channel) = state.rules.role
      else { throw unlike(channels) }
      places.append(channel.isLFE ? [] : state.position.coordinates)
    }
    guard places.count == layout.count else { throw unlike(channels) }
    for index in layout.speakers.indices {
      let direction = layout.direction(at: index)
      let wanted =
        layout.speakers[index].isLFE ? [] : [direction.azimuth, direction.elevation, 1]
      guard let place = places.firstIndex(where: { ObjectProof.isNear($0, wanted) }) else {
        throw failure("no channel is described at the place of \(layout.speakers[index].name)")
      }
      places.remove(at: place)
    }
  }

  /// Renders the file as its metadata say, measures it, and compares what its objects do with `kept`.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they do something else.
  func levels(_ kept: KeptProgramme, isDualMono: Bool) throws -> Levels {
    let source = try open()
    try compare(source.programme)
    let recorder = RecordedSource(source)
    let channels = try ChannelSource(recorder, layout: nil, log: DiagnosticLog())
    let meter = try LoudnessMeter(format: channels.format, dualMono: isDualMono)
    let spectrum = try LongTermSpectrum(format: channels.format)
    let buffer = AudioBuffer(channels: channels.format.channels)
    var isDone = false
    while !isDone {
      buffer.removeAll()
      isDone = try !channels.read(into: buffer)
      guard buffer.frames > 0 else { continue }
      try meter.add(buffer)
      spectrum.add(buffer)
    }
    let planes = source.programme.objectPlanes
    for plane in programme.objectPlanes {
      if planes.contains(plane) {
        try compare(
          plane, kept.updates[plane], recorder.kept.updates[plane], frames: recorder.frames)
      } else {
        try expectFullLevel(plane, kept.updates[plane], frames: recorder.frames)
      }
    }
    return Levels(statistics: meter.statistics(), spectrum: spectrum.levels)
  }

  private func open() throws -> TrackSource {
    let file = try LocalFile(descriptor: dup(target.descriptor), name: target.name)
    do {
      return try TrackSource(
        input: MediaInput(file: file), decoding: InputOptions(), log: DiagnosticLog())
    } catch let error as MediaError {
      throw failure("it can't be read: \(error.message)")
    }
  }

  /// Compares the elements. Channels that always sound and are those of a common pack come back as a bed.
  private func compare(_ read: Programme) throws {
    guard read.planes == programme.planes else { throw unlike(read) }
    guard read.objectPlanes != programme.objectPlanes else { return }
    guard read.elements.count == 1, case .bed(let layout) = read.elements[0] else {
      throw unlike(read)
    }
    try compareChannels(programme, layout)
  }

  private func unlike(_ read: Programme) -> MediaError {
    failure("its metadata describe \(read.contents), not \(programme.contents)")
  }

  /// Compares what the object in `plane` does by two lists of updates: at each update, in the sample before
  /// it, and in the last one of `frames`.
  private func compare(
    _ plane: Int, _ wanted: [ObjectUpdate], _ found: [ObjectUpdate], frames: Int64
  ) throws {
    var (own, other) = (MotionCourse(wanted), MotionCourse(found))
    let places = wanted.flatMap { [$0.at - 1, $0.at] } + [frames - 1]
    for place in Set(places).sorted() where place >= 0 {
      let states = (-1...1).map { own.state(at: place + $0) }
      guard ObjectProof.isSame(other.state(at: place), as: states) else {
        throw failure(
          "what it says of object \(plane + 1) at sample \(place) isn't what was meant")
      }
    }
  }

  /// Makes sure that the channel in `plane`, which came back as one of a bed, sounds at full level throughout.
  private func expectFullLevel(
    _ plane: Int, _ wanted: [ObjectUpdate], frames: Int64
  ) throws {
    var course = MotionCourse(wanted)
    for place in (wanted.map(\.at) + [frames - 1]).sorted() where place >= 0 {
      guard course.state(at: place)?.gain == 1 else {
        throw failure("the level of channel \(plane + 1) at sample \(place) got lost")
      }
    }
  }

  /// Whether `state` sounds as the middle one of three states that follow one another. Of silent objects
  /// nothing but the silence counts.
  private static func isSame(_ state: ObjectState?, as states: [ObjectState?]) -> Bool {
    guard let wanted = states[1] else { return state.map { $0.gain == 0 } ?? true }
    guard let state else { return wanted.gain == 0 }
    if wanted.gain == 0, state.gain == 0 { return true }
    let near = states.map { numbers($0 ?? wanted) }
    for (index, number) in numbers(state).enumerated() {
      // A ramp may be late by a thousandth of a sample.
      let step = max(gap(near[0][index], near[1][index]), gap(near[1][index], near[2][index]))
      guard gap(number, near[1][index]) <= tolerance + step / 100 else { return false }
    }
    return state.rules.lock == wanted.rules.lock && state.rules.zones == wanted.rules.zones
      && state.rules.divergence == wanted.rules.divergence
      && state.rules.isHeadLocked == wanted.rules.isHeadLocked
      // How much of a room is wanted isn't written; that nothing is virtualised is.
      && (state.rules.headphones == .off) == (wanted.rules.headphones == .off)
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

  private static func isNear(_ one: [Double], _ other: [Double]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { gap($0, $1) <= tolerance }
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written file isn't as meant: \(what); nothing was kept")
  }
}

extension Programme {
  /// Planes that hold an object.
  fileprivate var objectPlanes: [Int] { ProgrammeBlock(self).objectPlanes }
}

/// Passes a programme on and keeps what its objects do.
private final class RecordedSource: ProgrammeSource {
  let kept: KeptProgramme
  private let source: any ProgrammeSource
  private let block: ProgrammeBlock

  init(_ source: any ProgrammeSource) {
    self.source = source
    kept = KeptProgramme(source.programme)
    block = ProgrammeBlock(source.programme)
  }

  var programme: Programme { source.programme }

  /// Samples that were passed on.
  private(set) var frames: Int64 = 0

  func read(into target: ProgrammeBlock) throws -> Bool {
    block.removeAll()
    let hasMore = try source.read(into: block)
    kept.add(block)
    frames += Int64(block.frames)
    target.append(block)
    return hasMore
  }
}

/// Walks through the states of an object.
private struct MotionCourse {
  private let updates: [ObjectUpdate]
  private var next = 0
  private var motion: ObjectMotion?
  private var clock: Int64 = 0

  init(_ updates: [ObjectUpdate]) { self.updates = updates }

  /// The state at `sample`, which never goes back; `nil` before the first update.
  mutating func state(at sample: Int64) -> ObjectState? {
    while next < updates.count, updates[next].at <= sample {
      let update = updates[next]
      let before =
        motion?.advanced(by: Int(update.at - clock)) ?? ObjectMotion(restingIn: update.state)
      motion = update.motion(after: before)
      clock = update.at
      next += 1
    }
    return motion?.advanced(by: Int(sample - clock)).state
  }
}
