import ADM
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

  /// A layout that is none of the common definitions comes back as channels.
  private func compareChannels(_ read: Programme, _ layout: ChannelLayout) throws {
    let found = read.elements.compactMap { element -> (ObjectState, SpeakerChannel)? in
      guard case .object(_, let state) = element, case .speaker(let channel) = state.rules.role
      else { return nil }
      return (state, channel)
    }
    guard found.count == layout.count, read.elements.count == layout.count else {
      throw failure("its metadata describe \(read.contents)")
    }
    for (index, (state, channel)) in found.enumerated() {
      let direction = layout.direction(at: index)
      let wanted = [direction.azimuth, direction.elevation, 1]
      guard channel.isLFE == layout.speakers[index].isLFE,
        channel.isLFE || ObjectProof.isNear(state.position.coordinates, wanted)
      else { throw failure("its channel \(index + 1) is described at another place") }
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
    for plane in programme.objectPlanes {
      try compare(plane, kept.updates[plane], recorder.kept.updates[plane])
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

  /// Compares the elements; beds of common definitions may have another name.
  private func compare(_ read: Programme) throws {
    guard read.planes == programme.planes, read.objectPlanes == programme.objectPlanes else {
      throw failure("its metadata describe \(read.contents), not \(programme.contents)")
    }
  }

  /// Compares what the object in `plane` does by two lists of updates.
  private func compare(
    _ plane: Int, _ wanted: [ObjectUpdate], _ found: [ObjectUpdate]
  ) throws {
    let blocks = WrittenBlock.list(from: programme.start(of: plane), updates: wanted, plane: plane)
    var course = MotionCourse(found)
    for (index, block) in blocks.enumerated() {
      let next = index + 1 < blocks.count ? blocks[index + 1].start : Int64.max
      let settled = block.start + block.ramp
      // A ramp that the next block cuts short never reaches its state.
      guard settled < next else { continue }
      guard ObjectProof.isSame(course.state(at: settled), block.state) else {
        throw failure(
          "what it says of object \(plane + 1) at sample \(settled) isn't what was meant")
      }
    }
  }

  /// Whether two states sound the same: of silent objects nothing but the silence counts.
  private static func isSame(_ one: ObjectState?, _ other: ObjectState) -> Bool {
    guard let one else { return other.gain == 0 }
    if other.gain == 0 { return one.gain == 0 }
    let numbers = { (state: ObjectState) -> [Double] in
      state.position.coordinates + [
        state.gain, state.extent.width, state.extent.height, state.extent.depth, state.diffuse,
      ]
    }
    return isNear(numbers(one), numbers(other)) && one.rules.lock == other.rules.lock
      && one.rules.divergence == other.rules.divergence && one.rules.zones == other.rules.zones
      && one.rules.isHeadLocked == other.rules.isHeadLocked
  }

  private static func isNear(_ one: [Double], _ other: [Double]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { pair in
        let gap = (pair.0 - pair.1).magnitude
        // Azimuths of 180° and −180° are the same.
        return min(gap, (gap - 360).magnitude) <= tolerance
      }
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

  /// State in which the object in `plane` begins.
  fileprivate func start(of plane: Int) -> ObjectState {
    ProgrammeBlock(self).motions[plane]?.target ?? ObjectState()
  }
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

  func read(into target: ProgrammeBlock) throws -> Bool {
    block.removeAll()
    let hasMore = try source.read(into: block)
    kept.add(block)
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
