import ArgumentParser
import Spatial

/// Whether left and right of an HRTF set are averaged.
struct HRTFSymmetryArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Average left and right of a SOFA set: on, or off to keep them as measured.",
      valueName: "on|off"))
  var hrtfSymmetry = "on"

  /// The options that were given.
  func options() throws -> HRTFOptions {
    let symmetry: Switch = try Choice.parse(hrtfSymmetry, "--hrtf-symmetry")
    return HRTFOptions(isSymmetrised: symmetry == .on)
  }
}
