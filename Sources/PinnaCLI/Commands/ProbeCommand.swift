// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Inspection
import Report

/// `pinna probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Show what a file holds, and what a render would take and trim."
  )

  @Argument(help: "Media file, http(s) URL or playlist of HLS.") var path: String
  @Flag(help: "Decode the chosen track to count its samples and follow its objects.")
  var deep = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup(title: "Input") var input: InputArguments

  func run() throws {
    var prober = MediaProber()
    prober.decoding = try input.options()
    let report = try prober.probe(path: path, deep: deep)
    guard !json else { return Terminal.output(try ReportJSON.pretty(report)) }
    Terminal.output(ProbeTable.text(report, isDeep: deep), indent: 11)
  }
}

/// A probe as text for the terminal.
enum ProbeTable {
  /// - Parameter isDeep: whether the track was decoded to its end.
  static func text(_ report: ProbeReport, isDeep: Bool) -> String {
    var lines = [heading(report)]
    lines += report.streams.map(stream)
    if let playlist = report.playlist { lines += list(playlist) }
    if let track = report.track { lines += facts(track, report, isDeep: isDeep) }
    if let refusal = report.refusal { lines.append("refused    \(refusal.message)") }
    lines += report.decisions.map { "decision   \($0.code.rawValue): \($0.chose), \($0.why)" }
    lines += report.degradations.map { "note       \($0.message) (\($0.code.rawValue))" }
    if !report.chapters.isEmpty { lines.append("chapters   \(report.chapters.count)") }
    return PlainText.lines(lines)
  }

  /// The file's name, format, length and bit rate.
  private static func heading(_ report: ProbeReport) -> String {
    let known = report.seconds ?? report.streams.compactMap(\.seconds).max()
    var parts = [report.container] + (known.map { [Figures.clock($0)] } ?? [])
    if let bytes = report.bytes, let known, known > 0 {
      parts.append("\(Figures.fixed(Double(bytes) * 8 / known / 1000, 0)) kbit/s")
    }
    return "\(report.path): " + parts.joined(separator: ", ")
  }

  /// The track that a render would take.
  private static func facts(
    _ track: ProbeReport.Track, _ report: ProbeReport, isDeep: Bool
  ) -> [String] {
    let input = track.input
    let source = report.streams.first { $0.index == input.stream }
    let number = source?.audioNumber.map { ", -a \($0)" } ?? ""
    var lines = ["track      stream \(input.stream)\(number): \(input.codec) \(input.layout)"]
    let start =
      track.priming.samples == 1 ? "1 start-up sample" : "\(track.priming.samples) start-up samples"
    lines.append("starts     after \(start), \(track.priming.source.words)")
    let end = PaddingSource(rawValue: track.paddingSource)
    // The last packets may state it.
    let isOpen = end == .unknown && !isDeep && track.samples == nil
    lines.append(
      "ends       "
        + (isOpen ? "where --deep finds it to end" : end?.words ?? track.paddingSource))
    if let samples = track.samples {
      let seconds = Double(samples) / Double(max(1, input.rate))
      lines.append("length     \(Figures.clock(seconds)) (\(samples) samples)")
    } else if let seconds = source?.seconds ?? report.seconds {
      lines.append("length     about \(Figures.clock(seconds)); --deep counts the samples")
    }
    if let level = input.dialnorm {
      lines.append("dialogue   stated at \(Figures.fixed(level, 2)) dB (dialnorm)")
    }
    for (name, figures) in [("stated", track.loudness?.track), ("album", track.loudness?.album)] {
      if let text = figures.flatMap(stated) { lines.append(Figures.padded(name, 11) + text) }
    }
    if let words = input.drc {
      lines.append("DRC        \(words ? "carried; --drc applies it" : "none")")
    }
    let undecoded = input.undecoded.map { ": \($0.contents), not decoded" }
    lines.append("objects    \(input.objects)\(input.objectCoding.map(coding) ?? undecoded ?? "")")
    if input.objectCoding != nil, !isDeep {
      lines.append("           as they begin; --deep follows them to the end")
    }
    lines += (input.scene ?? []).map(object)
    if track.virtualized { lines.append("virtualised already") }
    lines += (track.presentations ?? []).map(presentation)
    return lines + (track.mixes ?? []).flatMap(MixTable.lines)
  }

  /// The loudness and peak that MP4 states; `nil` where it states neither.
  private static func stated(_ figures: ProbeReport.Loudness.Figures) -> String? {
    let level = figures.integrated.map { "\(Figures.fixed($0, 2)) LUFS" }
    let peak =
      figures.truePeak.map { "\(Figures.fixed($0, 2)) dBTP" }
      ?? figures.samplePeak.map { "peak \(Figures.fixed($0, 2)) dBFS" }
    let texts = [level, peak].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// How objects are coded, after the answer whether there are any.
  private static func coding(_ facts: ObjectCodingReport) -> String {
    let index = facts.complexity.map { ": complexity index \($0), " } ?? ": "
    let bed = facts.bed.map { "a bed of \($0) and " } ?? ""
    let updates = facts.updatesPerSecond.map { ", \(Figures.fixed($0, 2)) updates/s" } ?? ""
    return index + bed + "\(facts.objects) objects, coded in \(facts.downmix)" + updates
  }

  /// One line: what it is, when it sounds, where, and of which tracks it is made.
  private static func object(_ facts: ObjectReport) -> String {
    let type = ([facts.type] + (facts.kinds ?? [])).joined(separator: ", ")
    let names = [facts.id, facts.name].compactMap(\.self).joined(separator: " ")
    var parts = [names.isEmpty ? type : "\(names) (\(type))"]
    let start = facts.start.map { Figures.fixed($0, 3) }
    let end = facts.end.map { Figures.fixed($0, 3) + " s" } ?? "the end"
    parts.append(start.map { "\($0) s to \(end)" } ?? "silent")
    if let least = facts.least, let greatest = facts.greatest, least.count == 3,
      greatest.count == 3
    {
      let names =
        facts.coordinates == "cartesian"
        ? ["X", "Y", "Z"] : ["azimuth", "elevation", "distance"]
      parts += names.indices.map { axis in
        let (low, high) = (Figures.fixed(least[axis], 2), Figures.fixed(greatest[axis], 2))
        return "\(names[axis]) \(low == high ? low : "\(low) to \(high)")"
      }
    }
    if facts.changes > 1 { parts.append("\(facts.changes) changes") }
    let tracks = facts.tracks.map(String.init).joined(separator: ", ")
    if !facts.tracks.isEmpty {
      parts.append(facts.tracks.count == 1 ? "track \(tracks)" : "tracks \(tracks)")
    }
    let free = facts.interaction?.words ?? []
    if !free.isEmpty { parts.append("may be changed: \(free.joined(separator: ", "))") }
    return "  " + parts.joined(separator: "; ")
  }

  private static func presentation(_ facts: ProbeReport.Presentation) -> String {
    var parts = [facts.immersiveStereo ? "immersive stereo" : facts.channels ?? "objects"]
    parts += facts.languages
    if let level = facts.dialnorm { parts.append("dialnorm \(Figures.fixed(level, 2)) dB") }
    if let level = facts.integrated { parts.append("\(Figures.fixed(level, 1)) LUFS stated") }
    parts.append("\(Figures.fixed(facts.frameRate, 3)) frames/s")
    if facts.dynamicRange { parts.append("DRC") }
    if facts.dialogueEnhancement { parts.append("dialogue enhancement") }
    let id = facts.id.map { " (id \($0))" } ?? ""
    return "presentation \(facts.index)\(id): " + parts.joined(separator: ", ")
  }

  private static func list(_ playlist: ProbeReport.Playlist) -> [String] {
    playlist.variants.map {
      "variant    \($0.uri) \($0.bandwidth) bit/s"
        + ([$0.codecs, $0.audioGroup.map { "audio \($0)" }].compactMap { $0.map { ", " + $0 } })
        .joined()
    }
      + playlist.renditions.enumerated().map { index, rendition in
        "rendition  \(index) \(rendition.name)"
          + [rendition.language, rendition.isDefault ? "default" : nil, rendition.uri].compactMap {
            $0.map { ", " + $0 }
          }.joined()
      }
      + playlist.sections.map {
        "section    segments \($0.firstSegment) to \($0.firstSegment + $0.segments - 1), "
          + "\($0.seconds) s\($0.isGap ? ", missing" : "")"
      }
  }

  private static func stream(_ stream: ProbeReport.Stream) -> String {
    var parts = [stream.codec + (stream.profile.map { " (\($0))" } ?? "")]
    if let pictures = stream.pictures {
      parts.append("\(pictures.width)×\(pictures.height)")
      if let rate = pictures.rate { parts.append("\(Figures.fixed(rate, 3)) pictures/s") }
    }
    if let layout = stream.layout { parts.append(layout) }
    if let rate = stream.rate { parts.append("\(rate) Hz") }
    if let rate = stream.bitRate { parts.append("\(Figures.fixed(Double(rate) / 1000, 0)) kbit/s") }
    if let language = stream.language { parts.append(language) }
    if let title = stream.title { parts.append("“\(title)”") }
    if stream.isDefault { parts.append("default") }
    parts += stream.dispositions.map { roles[$0] ?? $0 }
    let index = Figures.padded("\(stream.index)", 3, left: true)
    let number = Figures.padded(stream.audioNumber.map { "-a \($0)" } ?? "", 5)
    return "\(index)  \(Figures.padded(stream.kind.rawValue, 9)) \(number) "
      + parts.joined(separator: ", ")
  }

  /// Marks of tracks, for people.
  private static let roles = [
    "comment": "commentary", "dub": "dubbed", "hearing_impaired": "for the hard of hearing",
    "visual_impaired": "audio description",
  ]
}

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
