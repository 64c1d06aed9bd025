import ArgumentParser
import AudioCore
import MediaIn

/// Options about the audio objects of an input.
struct ObjectArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Audio objects: auto (rendered where there are some), bed (channels only), render, or what "
        + "alone is played of them, e.g. AO_1001,AO_1003."))
  var objects = "auto"

  @Option(
    name: .customLong("object"),
    help: ArgumentHelp(
      "Change an object as far as the file allows, by id, name or kind (dialogue, music, effects, "
        + "mixed): off, on, a gain or an offset (repeatable).", valueName: "what=change"))
  var changes: [String] = []

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
    try ObjectChoice.read(objects: objects, into: &options)
    options.changes += try changes.map(ObjectChoice.change)
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
