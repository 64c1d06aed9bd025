import ArgumentParser
import AudioCore
import Settings
import Rendering
import Spatial

/// Where the virtual loudspeakers stand and how the listener holds the head.
struct ListenerArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where channels come from in degrees: L=30,R=-30,TFL=45/35 (azimuth to the left, elevation), "
        + "or a YAML file.", valueName: "positions"))
  var speakers: String?
  @Option(parsing: .unconditional, help: "Head turned to the left in degrees.") var yaw: String?
  @Option(parsing: .unconditional, help: "Head tilted up in degrees.") var pitch: String?
  @Option(parsing: .unconditional, help: "Head leaning to the right in degrees.") var roll: String?
  @Option(help: "Head movement: a CSV file of time,yaw,pitch,roll in seconds and degrees.")
  var trajectory: String?

  @Option(
    help: ArgumentHelp(
      "Room around the listener: off (default), early reflections of small or medium, or one that was measured: "
        + "a SOFA file of loudspeakers in it, or a WAV file of HeSuVi."))
  var room = "off"

  @Option(help: "Late reverberation of the room: off (default) or on.")
  var roomTail = "off"

  @Option(help: "Directions of objects with X, Y and Z: room (as 7.1.4 stands), rays, or 2127.")
  var objectAngles = "room"

  /// Largest trajectory in bytes: room for ten hours with a hundred poses a second.
  private static let largestTrajectory = 128 << 20

  /// The listener with headphones, whose responses are `hrtf`.
  /// - Throws: ``MediaError`` of kind `usage`.
  func listener(hrtf: HRTFRequest?) throws -> Listener {
    var listener = Listener(hrtf: hrtf, positions: try positions(), head: try head())
    if let roomFile {
      if hrtf != nil { listener.hrtf?.choice = .room(roomFile) }
    } else if room != "off" {
      listener.room = try Choice.parse(room, "--room")
    }
    listener.roomTail = try tail()
    listener.objectAngles = try angles()
    return listener
  }

  /// The file of a measured room; `nil` for none.
  var roomFile: String? {
    let name = room.lowercased()
    return name.hasSuffix(".sofa") || name.hasSuffix(".wav") ? room : nil
  }

  /// How the positions of objects in a room become directions.
  /// - Throws: ``MediaError`` of kind `usage`.
  func angles() throws -> CubeMapping { try Choice.parse(objectAngles, "--object-angles") }

  /// Where the virtual loudspeakers stand.
  /// - Throws: ``MediaError`` of kind `usage`.
  func positions() throws -> SpeakerPositions {
    guard let speakers else { return .standard }
    guard
      speakers.contains("/") && !speakers.contains("=") || speakers.hasSuffix(".yaml")
        || speakers.hasSuffix(".yml")
    else { return try naming("--speakers") { try SpeakerPositions(parsing: speakers) } }
    let entries = try SpeakerFile.entries(path: speakers)
    return try naming(speakers) { try SpeakerPositions(entries) }
  }

  /// Refuses options that apply to none of these endpoints.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ kinds: Set<Endpoint.Kind>) throws {
    let isTurned = try pose() != .ahead
    let hasTail = try tail()
    guard !hasTail || roomFile == nil else {
      throw MediaError(
        .usage, "--room-tail on: a measured room has its own reverberation; leave it out")
    }
    guard !hasTail || room != "off" else {
      throw MediaError(
        .usage, "--room-tail on: needs a room; give --room small or --room medium")
    }
    let isHeard = isTurned || trajectory != nil || room != "off"
    guard !isHeard || kinds.contains(.headphones) else {
      throw MediaError(
        .usage,
        "--yaw, --pitch, --roll, --trajectory and --room: only mean something with "
          + "--endpoint headphones")
    }
    guard trajectory == nil || !isTurned else {
      throw MediaError(.usage, "--trajectory: takes the place of --yaw, --pitch and --roll")
    }
    guard speakers == nil || kinds != [.none] else {
      throw MediaError(
        .usage, "--speakers: only means something with --endpoint headphones or speakers")
    }
  }

  private func tail() throws -> Bool {
    let choice: Switch = try Choice.parse(roomTail, "--room-tail")
    return choice == .on
  }

  private func head() throws -> Listener.Head {
    guard let trajectory else { return .still(try pose()) }
    let text = try SettingsFile.text(
      trajectory, largest: Self.largestTrajectory, what: "a head trajectory in CSV")
    return .moving(try naming(trajectory) { try HeadTrajectory(csv: text) })
  }

  private func pose() throws -> HeadPose {
    HeadPose(
      yaw: try angle(yaw, "--yaw"), pitch: try angle(pitch, "--pitch"),
      roll: try angle(roll, "--roll"))
  }

  private func angle(_ text: String?, _ option: String) throws -> Double {
    guard let text else { return 0 }
    let value = try Choice.number(text, option)
    guard (-360...360).contains(value) else {
      throw MediaError(.usage, "\(option) \(text): give −360 to 360 degrees")
    }
    return value
  }

  /// Puts `place` in front of the message of an error that `body` throws.
  private func naming<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as MediaError {
      let sentence = error.message.replacing("speaker positions: ", with: "")
      throw MediaError(error.kind, about: place, "\(sentence)")
    }
  }
}

/// Values of options that are on or off, such as `--virtualizer`.
enum Switch: String, CaseIterable {
  case on
  case off
}
