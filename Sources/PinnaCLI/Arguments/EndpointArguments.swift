import ArgumentParser

/// Which device the output is meant for, and how it is prepared for it.
struct EndpointArguments: ParsableArguments {
  @Option(
    name: [.customShort("e"), .customLong("endpoint")],
    help: ArgumentHelp(
      "headphones (default), speakers or none (default with -f bw64, -f iamf, -c:a iamf-… and built-in presets)."
    ))
  var endpoint: String?
  @Option(help: "Virtualise: on or off.")
  var virtualizer = "on"
  @Option(help: "HRTF set: kemar, a SOFA file, a WAV file of HeSuVi, or a name of pinna hrtf list.")
  var hrtf = "kemar"
  @OptionGroup var processing: HRTFSetArguments
  @Option(
    parsing: .unconditional,
    help: "Angle between the loudspeakers of --endpoint speakers in degrees (default 20).")
  var speakerSpan: String?
  @Option(
    name: .customLong("lfe-gain"), parsing: .unconditional,
    help: "Level of the LFE channel in dB, or off (default 10; a downmix leaves it out).")
  var lfeGain: String?
  @Option(
    help: ArgumentHelp(
      "Gains of a downmix: standard (ITU-R BS.775, default) or stream (what the programme itself "
        + "carries: AC-3 and AC-4 for stereo and mono, IAMF for smaller beds)."))
  var downmix = "standard"
  @Option(help: "Whether the input is virtualised already: auto, yes or no.")
  var alreadyVirtualized = "auto"
  @Option(help: "Output layout for endpoint none: keep (default), mono, stereo, 5.1 …")
  var layout: String?

  /// Whether another layout than the programme's is asked for.
  var asksForLayout: Bool { layout.map { $0 != "keep" } ?? false }
}
