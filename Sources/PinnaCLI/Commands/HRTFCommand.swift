// SPDX-License-Identifier: Apache-2.0
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

  /// Inspector of sets in this process.
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
      commandName: "inspect", abstract: "Show what a set holds, how it is processed, and why.")

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
      HRTFTable.show(json ? try ReportJSON.pretty(report) : HRTFTable.text(report), json)
    }
  }

  /// `pinna hrtf compare`.
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare", abstract: "Show how two sets differ as they are played.",
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
      HRTFTable.show(json ? try ReportJSON.pretty(report) : HRTFTable.text(report), json)
    }
  }
}

/// `pinna hrtf fit`.
struct HRTFFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Show how a set is fitted to a head that you measured with a tape.",
    discussion: """
      Give the circumference above ears and eyebrows, or width and depth of the head. The delays between the ears grow \
      with the head; the filters of the ears stay as they were measured.
      """)

  @Argument(help: "kemar, a SOFA file, or a name of hrtf list.") var set = "kemar"
  @Option(help: ArgumentHelp("Circumference above ears and eyebrows.", valueName: "cm"))
  var circumference: Given<Double>?
  @Option(help: ArgumentHelp("Width between the ears.", valueName: "cm")) var width: Given<Double>?
  @Option(help: ArgumentHelp("Depth from the forehead to the back.", valueName: "cm"))
  var depth: Given<Double>?
  @Option(help: ArgumentHelp("Height from the chin to the top (default 23).", valueName: "cm"))
  var height: Given<Double>?
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let report = try HRTFCommand.inspector.fit(HRTFCommand.choice(set), to: try head())
    HRTFTable.show(json ? try ReportJSON.pretty(report) : HRTFTable.text(report, set: set), json)
  }

  private func head() throws -> HeadMeasures {
    func number(_ given: Given<Double>, _ option: String) throws -> Double {
      try given.value(of: option, in: "cm")
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

/// HRTF sets as text for the terminal.
enum HRTFTable {
  /// One line for each set.
  static func text(_ report: HRTFListReport) -> String {
    let rows =
      [["set", "directions", "taps", "Hz", "from"]]
      + report.sets.map { set in
        [set.id] + [set.directions, set.taps, set.rate].map { $0.map(String.init) ?? "-" }
          + [set.refusal?.message ?? set.path ?? "built in"]
      }
    return PlainText.table(rows, right: 1..<4)
  }

  /// Prints properties, whose texts stand in a column of their own on a terminal, or JSON.
  static func show(_ text: String, _ isJSON: Bool) {
    if isJSON { Terminal.output(text) } else { Terminal.output(text, indent: 18) }
  }

  /// The properties of a set, one a line.
  static func text(_ report: HRTFReport) -> String {
    let field = report.diffuseField
    let milliseconds = Double(report.taps) / Double(report.rate) * 1000
    let delays = report.interauralDelayMicroseconds
    let delayUnit = report.delayUnit == .none ? "in the responses" : "in \(report.delayUnit)"
    let asymmetry =
      report.asymmetry.map {
        "\(Figures.fixed($0.levelDB, 1)) dB, \(Figures.fixed($0.delayMicroseconds, 0)) µs "
          + "between the sides as measured"
      } ?? "unknown: too few directions were measured on both sides"
    let lines = [
      ("set", report.id + (report.path.map { " (\($0))" } ?? " (built in)")),
      ("from", report.citation),
      (
        "directions",
        "\(report.directions) places from \(report.measurements) measurements, elevation "
          + "\(Figures.fixed(report.elevation.lowest, 0))…"
          + "\(Figures.fixed(report.elevation.highest, 0))°"
      ),
      (
        "responses",
        "\(report.taps) taps at \(report.rate) Hz (\(Figures.fixed(milliseconds, 1)) ms)"
      ),
      ("delays", delayUnit),
      ("ITD", "\(Figures.fixed(delays.lowest, 0))…\(Figures.fixed(delays.highest, 0)) µs"),
      (
        "head",
        "delays as a sphere of \(Figures.fixed(delays.headRadiusCm, 2)) cm, an average head of "
          + "\(Figures.fixed(delays.headCircumferenceCm, 1)) cm around; played × "
          + Figures.fixed(delays.scale, 3)
      ), ("asymmetry", asymmetry),
      ("measured", level(field, field.measuredDB)), ("played", level(field, field.processedDB)),
      ("sha256", report.sha256),
    ].map(line)
    let steps = report.steps.map { step in
      line(step.name.rawValue, "\(step.applied ? "applied" : "no     ")  \(step.reason)")
    }
    return PlainText.lines(lines + steps)
  }

  /// How a set is fitted to a head, and the flags that do it; `set` is how it was named.
  static func text(_ report: HRTFFitReport, set: String) -> String {
    let scale = Figures.fixed(report.scale, 3)
    let path = set.contains(" ") ? "'\(set)'" : set
    let name = set == "kemar" ? "" : "--hrtf \(path) "
    let lines = [
      ("set", "\(report.id): delays as a sphere of \(Figures.fixed(report.setRadiusCm, 2)) cm"),
      ("head", "delays as a sphere of \(Figures.fixed(report.headRadiusCm, 2)) cm"),
      ("delays", "× \(scale)"), ("flags", "\(name)--itd-scale \(scale)"),
    ]
    return PlainText.lines(lines.map(line))
  }

  /// The differences between two sets, one a line.
  static func text(_ report: HRTFComparisonReport) -> String {
    let (delay, ild) = (report.delayMicroseconds, report.interauralLevelDB)
    let spectrum = report.spectrumDB
    let lines = [
      ("sets", "\(report.first.id) and \(report.second.id)"),
      (
        "places",
        "\(report.places) from \(Figures.fixed(report.lowestElevation, 0))° upwards, "
          + "250 Hz to \(Figures.fixed(report.highestFrequencyHz / 1000, 1)) kHz"
      ),
      ("ITD", "median \(Figures.fixed(delay.typical, 1)), 95 % \(high(delay, 1)) µs"),
      ("ILD", "mean \(Figures.fixed(ild.typical, 2)), 95 % \(high(ild, 2)) dB"),
      ("spectrum", "mean \(Figures.fixed(spectrum.typical, 2)), 95 % \(high(spectrum, 2)) dB"),
      ("level", "\(Figures.fixed(report.levelDB, 2)) dB, second above first"),
      ("largest spectrum", place(report.largestSpectrum)),
      ("largest ITD", place(report.largestDelay)),
    ]
    return PlainText.lines(lines.map(line))
  }

  private static func high(_ spread: HRTFComparisonReport.Spread, _ digits: Int) -> String {
    Figures.fixed(spread.percentile95, digits)
  }

  private static func place(_ place: HRTFComparisonReport.Place) -> String {
    "azimuth \(Figures.fixed(place.azimuth, 1))°, elevation \(Figures.fixed(place.elevation, 1))°: "
      + "\(Figures.fixed(place.delayMicroseconds, 1)) µs, "
      + "ILD \(Figures.fixed(place.interauralLevelDB, 2)) dB, "
      + "spectrum \(Figures.fixed(place.spectrumDB, 2)) dB"
  }

  private static func level(_ field: HRTFReport.DiffuseField, _ levels: [Double]) -> String {
    "diffuse field varies by \(Figures.fixed(field.range(of: levels), 1)) dB over 100 Hz…16 kHz, "
      + "50 Hz at \(Figures.fixed(field.bass(of: levels), 1)) dB (thirds of an octave)"
  }

  private static func line(_ name: String, _ value: String) -> String {
    Figures.padded(name, 18) + value
  }
}
