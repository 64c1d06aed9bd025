import ArgumentParser

/// Options of `render` beyond opening the input.
struct RenderArguments: ParsableArguments {
  @Option(
    help: "Named settings, or a YAML file of them; flags beat them. See pinna presets list.")
  var preset: String?
  @OptionGroup(title: "Timeline") var timeline: TimelineArguments
  @OptionGroup(title: "Endpoint") var listening: EndpointArguments
  @OptionGroup(title: "Level") var level: LevelArguments
  @OptionGroup(title: "Own processing") var taps: TapArguments
  @OptionGroup(title: "Encoding") var encoding: EncodingArguments
  @OptionGroup(title: "Beside the sound") var carriage: CarriageArguments
  @OptionGroup(title: "Queues") var queue: QueueArguments
  @OptionGroup(title: "Cache") var cache: CacheArguments
  @Option(help: "Another output from the same decode, as ENDPOINT:FILE (repeatable).")
  var also: [String] = []
  @Flag(help: "One gain for all outputs, so that they keep their levels to each other.")
  var sameGain = false
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace existing outputs.")
  var overwrite = false
}
