import ArgumentParser

/// How loud the output is.
struct LevelArguments: ParsableArguments {
  @Option(
    name: [.customShort("l"), .customLong("loudness")], parsing: .unconditional,
    help: ArgumentHelp(
      "Integrated loudness target in LUFS, or off (default -16; off with -f bw64, -f iamf and -c:a iamf-… for endpoint none)."
    ))
  var loudness: String?
  @Option(
    help: ArgumentHelp(
      "Gain from: measured (loudness of the delivered output, default) or metadata (dialnorm, or the "
        + "loudness that IAMF states for the layout)."))
  var loudnessMode: String?
  @Option(
    help: ArgumentHelp(
      "Layout to which objects that are stored as they are (-f bw64, -f iamf) are rendered to be measured, e.g. 5.1 (default "
        + "5.1.4)."))
  var loudnessLayout: String?
  @Option(parsing: .unconditional, help: "True-peak ceiling in dBTP (default -1).")
  var truePeak: String?
  @Option(help: "When the peak is above the ceiling: limit (default), lower, fail or ignore.")
  var peakPolicy: String?
  @Flag(inversion: .prefixedNo, help: "Measure mono as two equal channels (+3 LU; default no).")
  var dualMono: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "Never raise the level; quieter programmes stay quieter (default no).")
  var lowerOnly: Bool?
  @Option(parsing: .unconditional, help: "Most gain in dB; quieter programmes stay quieter.")
  var maxGain: String?
  @Option(
    parsing: .unconditional,
    help: "Leave the level alone when it is within this many LU of the target.")
  var threshold: String?
  @Flag(
    inversion: .prefixedNo,
    help: "One gain for all inputs, so that they keep their levels to each other (default no).")
  var album: Bool?
  @Flag(
    inversion: .prefixedNo,
    help: "With --album: bring the loudest input to the target, not all together (default no).")
  var loudestTrack: Bool?
}
