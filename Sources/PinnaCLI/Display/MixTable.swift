import Report

/// The mixes of an IAMF track as text for the terminal.
enum MixTable {
  /// A line for the mix, and one for each element and each stated loudness.
  static func lines(_ mix: ProbeReport.Mix) -> [String] {
    var title = ["mix \(mix.id)\(names(mix.names))"]
    if let language = mix.language { title.append("language \(language)") }
    if mix.chosen { title.append("chosen") }
    if let refusal = mix.refusal { title.append("can't be played: \(refusal)") }
    var lines = [title.joined(separator: ", ")]
    for part in mix.parts {
      lines += part.elements.map { "  " + element($0) }
      if part.gainDB != 0 { lines.append("  gain of the sum \(Figures.fixed(part.gainDB, 2)) dB") }
      lines += part.loudness.map { "  " + loudness($0) }
    }
    return lines + mix.tags.map { "  tag \($0.name): \($0.value)" }
  }

  /// Names after the number that they belong to: `: “Français” (fr)`.
  private static func names(_ names: [ProbeReport.Mix.Name]) -> String {
    let texts = names.map { "“\($0.text)” (\($0.language))" }
    return texts.isEmpty ? "" : ": " + texts.joined(separator: " ")
  }

  private static func element(_ element: ProbeReport.Mix.Element) -> String {
    var parts: [String]
    switch element.kind {
    case "channels":
      let layers = element.layers.map { " in layers (\($0.joined(separator: ", ")))" }
      parts = ["\(element.layout ?? "channels")\(layers ?? "")"]
    case "scene": parts = ["sound field of order \(element.order ?? 0)"]
    case "missing": parts = ["isn't in the file"]
    default: parts = ["neither channels nor a sound field"]
    }
    switch element.headphones {
    case "stereo": parts.append("without HRTF on headphones")
    case let mode? where mode != "binaural": parts.append("\(mode) on headphones")
    default: break
    }
    parts.append("\(Figures.fixed(element.gainDB, 2)) dB")
    return "element \(element.id)\(names(element.names)), " + parts.joined(separator: ", ")
  }

  private static func loudness(_ stated: ProbeReport.Mix.Loudness) -> String {
    guard stated.doubt != "placeholder" else {
      return "\(stated.layout): no loudness stated (0, 0)"
    }
    var parts = ["\(Figures.fixed(stated.integrated, 2)) LUFS"]
    parts += (stated.anchors ?? []).map { "\($0.of) \(Figures.fixed($0.integrated, 2)) LUFS" }
    parts.append("peak \(Figures.fixed(stated.samplePeak, 2)) dBFS")
    if let peak = stated.truePeak { parts.append("\(Figures.fixed(peak, 2)) dBTP") }
    let doubt = stated.doubt.map { " (\($0))" } ?? ""
    return "\(stated.layout): \(parts.joined(separator: ", ")) stated\(doubt)"
  }
}
