// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Platform
import Rendering
import Settings
import Spatial

/// Positions of the virtual loudspeakers and orientation of the listener's head.
struct ListenerArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where channels come from in degrees: L=30,R=-30,TFL=45/35 (azimuth to the left, elevation), "
        + "or a YAML file.", valueName: "positions"))
  var speakers: String?
  @Option(parsing: .unconditional, help: "Head turned to the left in degrees.") var yaw:
    Given<Double>?
  @Option(parsing: .unconditional, help: "Head tilted up in degrees.") var pitch: Given<Double>?
  @Option(parsing: .unconditional, help: "Head leaning to the right in degrees.") var roll:
    Given<Double>?
  @Option(
    help: ArgumentHelp(
      "Head movement: CSV of time,yaw,pitch,roll in seconds and degrees, or of columns that it names (quaternions, radians), or "
        + "a recording of OSC.", valueName: "file"))
  var trajectory: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds to add to the times of the head movement, or first: the first pose is at 0, first+0.25: at 0.25 s (default 0, for OSC first).",
      valueName: "seconds|first"))
  var trajectoryOffset: String?

  @Option(
    help: ArgumentHelp(
      "Room around the listener: off (default), early reflections of small or medium, or one that was measured: "
        + "a SOFA file of loudspeakers in it, or a WAV file of HeSuVi."))
  var room = Given<RoomModel>(default: "off")

  @Option(help: "Late reverberation of the room: off (default) or on.")
  var roomTail = Given<Bool>(default: "off")

  @Option(help: "Directions of objects with X, Y and Z: room (as 7.1.4 stands), rays, or 2127.")
  var objectAngles = Given(CubeMapping.eightCorners)

  /// Largest trajectory in bytes: room for ten hours with a hundred poses a second.
  private static let largestTrajectory = 128 << 20

  /// The listener with headphones, whose responses are `hrtf`.
  /// - Throws: ``MediaError`` of kind `usage`.
  func listener(hrtf: HRTFRequest?) throws -> Listener {
    var listener = Listener(hrtf: hrtf, positions: try positions(), head: try head())
    if let roomFile {
      if hrtf != nil { listener.hrtf?.choice = .room(roomFile) }
    } else if hasRoom {
      listener.room = try room.model()
    }
    listener.roomTail = try roomTail.value(.roomTail)
    listener.objectAngles = try angles()
    return listener
  }

  /// Whether a room is asked for.
  var hasRoom: Bool { room.text != "off" }

  /// The file of a measured room; `nil` for none.
  var roomFile: String? {
    let name = room.text.lowercased()
    return name.hasSuffix(".sofa") || name.hasSuffix(".wav") ? room.text : nil
  }

  /// How the positions of objects in a room become directions.
  /// - Throws: ``MediaError`` of kind `usage`.
  func angles() throws -> CubeMapping { try objectAngles.value(.objectAngles) }

  /// Positions of the virtual loudspeakers.
  /// - Throws: ``MediaError`` of kind `usage`.
  func positions() throws -> SpeakerPositions {
    guard let speakers else { return .standard }
    guard SpeakerFile.isFile(speakers) else {
      return try naming("--speakers") { try SpeakerPositions(parsing: speakers) }
    }
    let entries = try SpeakerFile.entries(path: speakers)
    return try naming(speakers) { try SpeakerPositions(entries) }
  }

  /// Refuses options that apply to none of these endpoints.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ kinds: Set<Endpoint.Kind>) throws {
    let isTurned = try pose() != .ahead
    let hasTail = try roomTail.value(.roomTail)
    guard !hasTail || roomFile == nil else {
      throw MediaError(
        .usage, "--room-tail on: a measured room has its own reverberation; leave it out")
    }
    guard !hasTail || hasRoom else { throw Listener.lacksRoom }
    let isHeard = isTurned || trajectory != nil || hasRoom
    guard !isHeard || kinds.contains(.headphones) else {
      throw MediaError(
        .usage,
        "--yaw, --pitch, --roll, --trajectory and --room: only mean something with "
          + "--endpoint headphones")
    }
    guard trajectoryOffset == nil || trajectory != nil else {
      throw Setting.trajectoryOffset.stray("with --trajectory")
    }
    guard trajectory == nil || !isTurned else {
      throw MediaError(.usage, "--trajectory: takes the place of --yaw, --pitch and --roll")
    }
    guard speakers == nil || kinds != [.none] else {
      throw Setting.speakerPositions.stray("with --endpoint headphones or speakers")
    }
  }

  private func head() throws -> Listener.Head {
    guard let trajectory else { return .still(try pose()) }
    let bytes = try SettingsFile.bytes(
      trajectory, largest: Self.largestTrajectory, what: "a log of head poses")
    let (startsAtFirst, offset) = try start()
    return .moving(
      try naming(trajectory) {
        var path = try HeadTrajectory(log: bytes, offset: offset, startsAtFirst: startsAtFirst)
        let name = trajectory.split(separator: "/").last.map(String.init) ?? trajectory
        path.origin = "\(name) (SHA-256 \(Digest.sha256(bytes)))"
        return path
      })
  }

  /// Whether the first pose is at 0, and the seconds that are added to all times.
  private func start() throws -> (isFirst: Bool, offset: Double) {
    guard let trajectoryOffset else { return (false, 0) }
    let isFirst = trajectoryOffset.hasPrefix("first")
    let rest = isFirst ? String(trajectoryOffset.dropFirst(5)) : trajectoryOffset
    if isFirst, rest.isEmpty { return (true, 0) }
    // Nothing but a sign parts the word from the number.
    let isParted = !isFirst || rest.first.map("+-−".contains) == true
    guard isParted, let seconds = NumberUnits.number(rest, in: "seconds") else {
      throw MediaError(
        .usage,
        "--trajectory-offset \(trajectoryOffset): give seconds, e.g. -1.5, or first, or first+0.25")
    }
    return (isFirst, seconds)
  }

  private func pose() throws -> HeadPose {
    HeadPose(
      yaw: try yaw?.checked(.yaw) ?? 0, pitch: try pitch?.checked(.pitch) ?? 0,
      roll: try roll?.checked(.roll) ?? 0)
  }

  /// Puts `place` in front of the message of an error that `body` throws.
  private func naming<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as MediaError {
      let sentence = error.message.replacing("speaker positions: ", with: "")
      throw MediaError(error.kind, about: place, "\(sentence)")
    }
  }
}

extension Given<RoomModel> {
  /// The room of this name.
  /// - Throws: ``MediaError`` of kind `usage`.
  func model() throws -> RoomModel {
    if let model = RoomModel(rawValue: text) { return model }
    let names = RoomModel.allCases.map(\.rawValue).joined(separator: ", ")
    throw MediaError(
      .usage, "--room \(text): no such room or file; give \(names), off, or a SOFA or WAV file")
  }
}
