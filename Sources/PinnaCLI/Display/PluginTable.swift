import Report

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
