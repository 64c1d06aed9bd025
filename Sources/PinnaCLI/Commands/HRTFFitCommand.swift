import ArgumentParser
import AudioCore
import Inspection
import Rendering
import Report

/// `pinna hrtf fit`.
struct HRTFFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Tell how a set is fitted to a head, from what a tape measures.",
    discussion: """
      Give the circumference above ears and eyebrows, or width and depth of the head. The delays between the ears grow \
      with the head; the filters of the ears stay as they were measured.
      """)

  @Argument(help: "kemar, a SOFA file, or a name of hrtf list.") var set = "kemar"
  @Option(help: ArgumentHelp("Circumference above ears and eyebrows.", valueName: "cm"))
  var circumference: String?
  @Option(help: ArgumentHelp("Width between the ears.", valueName: "cm")) var width: String?
  @Option(help: ArgumentHelp("Depth from the forehead to the back.", valueName: "cm"))
  var depth: String?
  @Option(help: ArgumentHelp("Height from the chin to the top (default 23).", valueName: "cm"))
  var height: String?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let report = try HRTFCommand.inspector.fit(HRTFCommand.choice(set), to: try head())
    Terminal.output(json ? try ReportJSON.pretty(report) : HRTFTable.text(report, set: set))
  }

  private func head() throws -> HeadMeasures {
    func number(_ text: String, _ option: String) throws -> Double {
      try Choice.number(text.hasSuffix("cm") ? String(text.dropLast(2)) : text, option)
    }
    switch (circumference, width, depth) {
    case (let length?, nil, nil):
      guard height == nil else { break }
      return HeadMeasures(.circumference(try number(length, "--circumference")))
    case (nil, let width?, let depth?):
      return HeadMeasures(
        .sides(
          width: try number(width, "--width"), depth: try number(depth, "--depth"),
          height: try height.map { try number($0, "--height") } ?? HeadMeasures.averageHeight))
    default: break
    }
    throw MediaError(
      .usage, "give --circumference, or --width and --depth (and --height), in cm")
  }
}
