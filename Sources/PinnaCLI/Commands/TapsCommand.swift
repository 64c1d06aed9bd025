// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Rendering
import Report

/// `pinna taps`.
struct TapsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "taps", abstract: "List and try the processing that --tap puts into the chain.",
    subcommands: [List.self, Show.self, Check.self], defaultSubcommand: List.self)

  /// `pinna taps list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the kinds of taps and the points of the chain.")

    @Flag(help: "List the LV2 plugins that are installed instead.") var lv2 = false
    @Flag(help: "Print JSON; with --lv2 only.") var json = false

    func run() throws {
      guard json == false || lv2 else {
        throw MediaError(.usage, "taps list --json: give --lv2, too")
      }
      guard !lv2 else {
        let report = try PluginHost.find().list()
        return Terminal.output(json ? try ReportJSON.pretty(report) : PluginTable.text(report))
      }
      let rows = [
        ("eq=FILE", "an equaliser as text of AutoEq or Equalizer APO"),
        ("fir=FILE[,align=peak|start]", "impulse responses from a sound file"),
        ("avfilter=NAME=OPTION=VALUE:…,…", "filters of libavfilter, of those named below"),
        ("lv2=URI[,NAME=VALUE…]", "an LV2 plugin, of those that taps list --lv2 names"),
        ("--tap-exec POINT -- PROGRAM …", "a program, by its standard input and output"),
      ]
      let points = [
        ("item", "decoded channels of one file, before the renderer"),
        ("programme", "the rendered programme, before the rate is converted"),
        ("post", "the rendered programme at the rate of the output, before the meter"),
      ]
      let width = (rows + points).map { $0.0.count }.max() ?? 0
      for (name, what) in rows + points {
        Terminal.output(Figures.padded(name, width + 2) + what + "\n")
      }
      for rule in FilterRule.all {
        Terminal.output(
          Figures.padded(rule.name, width + 2) + rule.options.sorted().joined(separator: " ") + "\n"
        )
      }
    }
  }

  /// `pinna taps show`.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show what an LV2 plugin says about itself.")

    @Argument(help: "The plugin's address, as taps list --lv2 names it.") var uri: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let report = try PluginHost.find().describe(uri)
      Terminal.output(json ? try ReportJSON.pretty(report) : PluginTable.text(report))
    }
  }

  /// `pinna taps check`.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Send a test signal through a tap: its delay, its tail, and whether it varies.",
      discussion: """
        Exit 0 when the tap keeps its word, 5 when it fails, 7 when it states another delay than it has or changes \
        the length, 9 when it makes something else of the same sound each time.
        """)

    @Argument(
      help: "The tap as --tap takes it, e.g. post:eq=headphones.txt; leave it out for a program.")
    var tap: String?
    @Option(help: "Rate of the test signal, Hz.") var rate = 48_000
    @Option(help: "Layout of the test signal.")
    var layout = Given<ChannelLayout>(default: "stereo")
    @Option(help: "The point of a program after --, as render takes it.") var tapExec: String?
    @Option(help: "How its delay is known, as render takes it.") var tapLatency: String?
    @Argument(parsing: .postTerminator, help: "The program of --tap-exec with its arguments.")
    var program: [String] = []
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      var tap = try self.chosen()
      tap.latency = try tapLatency.map(TapFlags.latency) ?? .automatic
      try RequestRules.check(sampleRate: rate, called: "--rate")
      let format = AudioFormat(
        sampleRate: rate, layout: try layout.value(.outputLayout))
      let report = try TapCheck(RenderCommand.environment).run(tap, format)
      Terminal.output(json ? try ReportJSON.pretty(report) : TapTable.text(report))
      if let doubt = report.degradations.first {
        Terminal.complain(doubt.message)
        throw ExitStatus(code: MediaError(.degraded, doubt.message).exitCode)
      }
    }

    private func chosen() throws -> Tap {
      switch (tap, tapExec) {
      case (let text?, nil): return try TapText.parse(text, "taps check")
      case (nil, let point?): return try TapFlags.program(point, program)
      default:
        throw MediaError(
          .usage, "taps check: give one tap such as post:eq=FILE, or --tap-exec POINT -- PROGRAM")
      }
    }
  }
}

/// Facts about taps, as text for the terminal.
enum TapTable {
  /// Results of a test signal, one property a line.
  static func text(_ report: TapCheckReport) -> String {
    let delay =
      "\(report.latency.used) samples"
      + (report.latency.measured.map { ", measured \($0)" } ?? ", not proved")
    let output = report.deterministic ? "the same each time" : "varies from run to run"
    let blocks = report.dependsOnBlocks ? "1024 samples, because it depends on them" : "any size"
    let rows =
      [
        ("tap", "\(report.point):\(report.kind) \(report.name)"),
        ("signal", "\(report.layout), \(report.rate) Hz"), ("delay", delay),
        ("tail", "\(report.tail) samples"), ("output", output), ("blocks", blocks),
      ] + report.settings.map { ("setting", $0) }
    return PlainText.lines(rows.map { Figures.padded($0.0, 10) + $0.1 })
  }
}

/// LV2 plugins, as text for the terminal.
enum PluginTable {
  /// One plugin a line.
  static func text(_ report: PluginListReport) -> String {
    PlainText.table(
      report.plugins.map { [$0.uri, "\($0.inputs) → \($0.outputs)", $0.name] })
  }

  /// All about one plugin, one property a line.
  static func text(_ report: PluginReport) -> String {
    var rows = [("plugin", report.name), ("address", report.uri)]
    rows += [
      ("version", report.version), ("author", report.author), ("licence", report.license),
    ].compactMap { name, value in value.map { (name, $0) } }
    rows.append(("sound", "\(report.sound.inputs) → \(report.sound.outputs)" + sideChains(report)))
    rows.append(
      (
        "delay",
        report.features.statesLatency ? "stated by itself" : "not stated; a test signal shows it"
      ))
    rows += report.features.missing.map { ("missing", "\($0), so it can't be used") }
    rows += report.controls.map { ("control", line($0)) }
    rows += report.presets.map { ("preset", $0.label) }
    return PlainText.lines(rows.map { Figures.padded($0.0, 10) + $0.1 })
  }

  private static func sideChains(_ report: PluginReport) -> String {
    report.sound.sideChains == 0
      ? "" : ", \(report.sound.sideChains) side chains, which get silence"
  }

  private static func line(_ control: PluginReport.Control) -> String {
    var words = [control.symbol]
    if control.kind == "switch" {
      words.append((control.standard ?? 0) > 0 ? "on" : "off")
    } else if let standard = control.standard {
      words.append(figure(standard))
    }
    if let least = control.least, let greatest = control.greatest, control.kind != "switch" {
      words.append("\(figure(least))…\(figure(greatest))")
    }
    words.append("(\(control.kind == "switch" ? "on or off" : control.kind)) \(control.name)")
    if !control.choices.isEmpty {
      words.append(
        "[" + control.choices.map { "\($0.label) = \(figure($0.value))" }.joined(separator: ", ")
          + "]")
    }
    return words.joined(separator: "  ")
  }

  private static func figure(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e9 ? "\(Int(value))" : "\(Float(value))"
  }
}
