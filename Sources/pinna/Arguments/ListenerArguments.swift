import Rendering
import ArgumentParser
import AudioCore
import Presets
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

  @Option(help: "Early reflections around the listener: off (default), small or medium.")
  var room = "off"

  /// Bytes of a trajectory: ten hours at a hundred poses a second.
  private static let largestTrajectory = 128 << 20

  /// Puts what was given into `job`.
  func apply(to job: inout RenderJob) throws {
    if let speakers { job.positions = try positions(speakers) }
    job.pose = HeadPose(
      yaw: try angle(yaw, "--yaw"), pitch: try angle(pitch, "--pitch"),
      roll: try angle(roll, "--roll"))
    if room != "off" { job.room = try Choice.parse(room, "--room") }
    if let trajectory {
      let text = try SettingsFile.text(
        trajectory, largest: Self.largestTrajectory, what: "a head trajectory in CSV")
      job.trajectory = try naming(trajectory) { try HeadTrajectory(csv: text) }
    }
  }

  private func positions(_ text: String) throws -> SpeakerPositions {
    guard
      text.contains("/") && !text.contains("=") || text.hasSuffix(".yaml")
        || text.hasSuffix(".yml")
    else { return try naming("--speakers") { try SpeakerPositions(parsing: text) } }
    let entries = try SpeakerFile.entries(path: text)
    return try naming(text) { try SpeakerPositions(entries) }
  }

  private func angle(_ text: String?, _ option: String) throws -> Double {
    guard let text else { return 0 }
    let value = try Choice.number(text, option)
    guard (-360...360).contains(value) else {
      throw MediaError(.usage, "\(option) \(text): give −360 to 360 degrees")
    }
    return value
  }

  /// Puts `place` before the sentence of what `body` throws.
  private func naming<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as MediaError {
      let sentence = error.message.replacing("speaker positions: ", with: "")
      throw MediaError(error.kind, "\(place): \(sentence)")
    }
  }
}
