import ArgumentParser
import AudioCore
import Spatial

/// What is done to an HRTF set before it is played.
struct HRTFSetArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Average left and right of a SOFA set: on, or off to keep them as measured.",
      valueName: "on|off"))
  var hrtfSymmetry = "on"
  @Option(
    help: ArgumentHelp(
      "Make the diffuse field of a SOFA set flat and extend its bass: on, or off to play it as measured.",
      valueName: "on|off"))
  var hrtfProcessing = "on"
  @Option(
    help: ArgumentHelp(
      "Fit the set to a head: make its delays between the ears so many times as long (0.6 to 1.5).",
      valueName: "factor"))
  var itdScale: String?
  @Option(
    help: ArgumentHelp(
      "Fit the set to a head of this circumference above ears and eyebrows, in cm (40 to 70); see pinna hrtf fit.",
      valueName: "cm"))
  var headCircumference: String?

  /// Whether a head is asked for.
  var hasHead: Bool { itdScale != nil || headCircumference != nil }

  /// The options that were given.
  /// - Throws: ``MediaError`` of kind `usage`.
  func options() throws -> HRTFOptions {
    let symmetry: Switch = try Choice.parse(hrtfSymmetry, "--hrtf-symmetry")
    let processing: Switch = try Choice.parse(hrtfProcessing, "--hrtf-processing")
    let options = HRTFOptions(
      isSymmetrised: symmetry == .on, isProcessed: processing == .on, head: try head())
    try options.check()
    return options
  }

  private func head() throws -> HRTFOptions.Head {
    switch (itdScale, headCircumference) {
    case (nil, nil): return .measured
    case (let text?, nil): return .scaled(try Choice.number(text, "--itd-scale"))
    case (nil, let text?):
      let plain = text.hasSuffix("cm") ? String(text.dropLast(2)) : text
      return .circumference(try Choice.number(plain, "--head-circumference"))
    default:
      throw MediaError(
        .usage, "--itd-scale and --head-circumference: give only one of them")
    }
  }
}
