import ArgumentParser
import AudioCore
import MediaIn

/// Options about the audio objects of an input.
struct ObjectArguments: ParsableArguments {
  @Option(
    help: "Audio objects: auto (rendered where there are some), bed (channels only), or render.")
  var objects = "auto"

  @Option(help: "Programme of a file with objects: its id, name or language; see pinna probe.")
  var programme: String?

  @Option(
    name: .customLong("complementary"),
    help: "Id of an object that is played instead of the one it complements (repeatable).")
  var complements: [String] = []

  @Option(help: "Leave out objects that are less important than this, 0 to 10.")
  var importance: Int?

  @Option(help: "What the mixer marked for headphones: follow, or ignore to virtualise everything.")
  var headphoneModes = "follow"

  /// The options as a value.
  func options() throws -> ObjectOptions {
    var options = ObjectOptions()
    options.use = try Choice.parse(objects, "--objects")
    options.programme = programme
    options.complements = complements
    if let importance, !(0...10).contains(importance) {
      throw MediaError(.usage, "--importance \(importance): give 0 to 10")
    }
    options.importance = importance
    options.headphoneModes = try Choice.parse(headphoneModes, "--headphone-modes")
    return options
  }
}
