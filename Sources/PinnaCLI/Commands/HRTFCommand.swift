import ArgumentParser
import AudioCore
import Essentials
import Inspection
import MediaOut
import Platform
import Rendering
import Report

/// `pinna hrtf`.
struct HRTFCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hrtf", abstract: "List, inspect, compare and fit HRTF sets.",
    subcommands: [List.self, Inspect.self, Compare.self, HRTFFitCommand.self])

  /// The set that `text` names.
  /// - Throws: ``MediaError`` of kind `inputMissing` for a name that is unknown.
  static func choice(_ text: String) throws -> HRTFRequest.Choice {
    try HRTFFolders.choice(text, ProcessInfo.processInfo.environment)
  }

  /// What looks at sets in this process.
  static var inspector: HRTFInspector {
    HRTFInspector(
      environment: ProcessInfo.processInfo.environment, reading: SOFAReaderCommand.reading)
  }

  /// `pinna hrtf list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the built-in set and SOFA files, and whether they work.",
      discussion: """
        Without paths: the files in $XDG_DATA_HOME/pinna/hrtf and ~/.local/share/pinna/hrtf. Of a \
        folder the .sofa files in it and the .wav files of HeSuVi, not in folders inside. A file that can't be used is listed \
        with its reason; the exit code is its own only when no file can be used. The names of files in the user's folders, with or \
        without their extension, are names for --hrtf.
        """)

    @Argument(help: "SOFA files, or folders of them.") var paths: [String] = []
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let report = try HRTFCommand.inspector.list(paths)
      Terminal.output(json ? try ReportJSON.pretty(report) : HRTFTable.text(report))
      if let failure = report.failure { throw ExitStatus(code: failure.exitCode) }
    }
  }

  /// `pinna hrtf inspect`.
  struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "inspect", abstract: "Tell what a set holds, what is done to it, and why.")

    @Argument(help: "kemar, a SOFA file, or a name of hrtf list.") var set: String
    @OptionGroup var processing: HRTFSetArguments
    @Flag(help: "Print JSON.") var json = false
    @Option(
      help: ArgumentHelp(
        "Draw the diffuse field before and after processing to this SVG file.", valueName: "file"))
    var plot: String?
    @Option(
      help: ArgumentHelp(
        "Draw the delays between the ears around the head, as measured and as played, to this SVG file.",
        valueName: "file"))
    var plotDelays: String?
    @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace an existing plot.")
    var overwrite = false

    func run() throws {
      let choice = try HRTFCommand.choice(set)
      let options = try processing.options()
      for plot in [plot, plotDelays].compactMap({ $0 }) {
        try PlotPlace.checkName(plot)
        try PlotPlace.check(plot, choice.path.map { [$0] } ?? [], overwrite)
      }
      guard plot == nil || plot != plotDelays else {
        throw MediaError(.usage, "--plot and --plot-delays: give each its own name")
      }
      let report = try HRTFCommand.inspector.inspect(choice, options: options)
      if let plot {
        let picture = DiffuseFieldPlot(title: report.id, field: report.diffuseField)
        try TextFile.write(picture.svg(), to: plot)
      }
      if let plotDelays {
        let picture = DelayPlot(title: report.id, delays: report.interauralDelayMicroseconds)
        try TextFile.write(picture.svg(), to: plotDelays)
      }
      Terminal.output(json ? try ReportJSON.pretty(report) : HRTFTable.text(report))
    }
  }

  /// `pinna hrtf compare`.
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare", abstract: "Tell how two sets differ as they are played.",
      discussion: """
        At the first set's directions from -40° upwards that the second one describes too. Figures \
        are the median and 95 % of delays, the mean and 95 % of levels in thirds of an octave.
        """)

    @Argument(help: "kemar, a SOFA file, or a name of hrtf list.") var first: String
    @Argument(help: "kemar, a SOFA file, or a name of hrtf list.") var second: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let report = try HRTFCommand.inspector.compare(
        HRTFCommand.choice(first), HRTFCommand.choice(second))
      Terminal.output(json ? try ReportJSON.pretty(report) : HRTFTable.text(report))
    }
  }
}
