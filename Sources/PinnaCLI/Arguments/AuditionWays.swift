import ArgumentParser
import AudioCore
import Batch
import Inspection
import Platform
import Rendering
import Spatial

/// The ways in which a listening page plays its excerpts: all combinations of what is listed.
struct AuditionWays: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "HRTF sets: kemar, SOFA files or WAV files of HeSuVi, with commas between them.",
      valueName: "list"))
  var hrtf = "kemar"
  @Option(
    help: ArgumentHelp(
      "Endpoints: headphones, speakers and none (mixed to stereo).", valueName: "list"))
  var endpoint: String?
  @Option(help: ArgumentHelp("Rooms for headphones: off, small and medium.", valueName: "list"))
  var room = "off"
  @Option(
    help: ArgumentHelp("Factors of the delays between the ears, 0.6 to 1.5.", valueName: "list"))
  var itdScale = "1"
  @Option(
    help: ArgumentHelp(
      "A finished file, such as an earlier render, played at the same times as one more way.",
      valueName: "file"))
  var against: String?

  /// The ways: headphones with each set, head and room, then speakers with each set, then the stereo mix and the
  /// finished file.
  /// - Throws: ``MediaError`` of kind `usage`.
  func ways() throws -> [AuditionWay] {
    let sets = try list(hrtf, "--hrtf")
    let rooms = try list(room, "--room")
    let scales = try list(itdScale, "--itd-scale")
    var ways: [AuditionWay] = []
    let kinds = try endpoints(sets.count * rooms.count * scales.count)
    guard kinds.contains(.headphones) || rooms == ["off"] && scales == ["1"] else {
      throw MediaError(
        .usage,
        "--room and --itd-scale are compared on headphones; add headphones to --endpoint, or leave them out"
      )
    }
    for kind in kinds {
      switch kind {
      case .headphones:
        for set in sets {
          for scale in scales {
            for room in rooms { ways.append(try headphones(set, scale, room)) }
          }
        }
      case .speakers:
        ways += try sets.map { set in
          AuditionWay(
            label: "loudspeakers, \(name(set))", flags: "--endpoint speakers" + flag(set),
            source: .render(
              .speakers(SpeakerPair(hrtf: HRTFRequest(try HRTFCommand.choice(set))))))
        }
      case .none:
        ways.append(
          AuditionWay(
            label: "stereo mix", flags: "--endpoint none --layout stereo",
            source: .render(.channels(.stereo))))
      }
    }
    if let against {
      ways.append(AuditionWay(label: name(against), flags: "", source: .file(against)))
    }
    return ways
  }

  /// The files that the ways are made of.
  var files: [String] {
    (against.map { [$0] } ?? [])
      + hrtf.split(separator: ",").compactMap {
        (try? HRTFCommand.choice(String($0)))?.path
      }
  }

  private func endpoints(_ variants: Int) throws -> [Endpoint.Kind] {
    guard let endpoint else {
      // One set alone is best held against the mix that it replaces.
      return variants > 1 || against != nil ? [.headphones] : [.headphones, .none]
    }
    return try list(endpoint, "--endpoint").map {
      try Given<Endpoint.Kind>(argument: $0).value(.endpoint)
    }
  }

  private func headphones(_ set: String, _ scale: String, _ room: String) throws -> AuditionWay {
    let factor = try Given<Double>(argument: scale).value(.delayScale)
    let options = HRTFOptions(head: factor == 1 ? .measured : .scaled(factor))
    try options.check()
    var listener = Listener(hrtf: HRTFRequest(try HRTFCommand.choice(set), options: options))
    var (label, flags) = (name(set), "--endpoint headphones" + flag(set))
    if factor != 1 {
      label += ", delays × \(scale)"
      flags += " --itd-scale \(scale)"
    }
    if room != "off" {
      listener.room = try Given<RoomModel>(argument: room).value(.room)
      label += ", \(room) room"
      flags += " --room \(room)"
    }
    return AuditionWay(label: label, flags: flags, source: .render(.headphones(listener)))
  }

  private func list(_ text: String, _ option: String) throws -> [String] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains("") else {
      throw MediaError(.usage, "\(option) \(text): has an empty entry; take one comma out")
    }
    return parts
  }

  /// The file's name, or the whole path where another set has the same name.
  private func name(_ set: String) -> String {
    let names = hrtf.split(separator: ",").map { PathParts.of($0).last ?? String($0) }
    let own = PathParts.of(set).last ?? set
    return names.count { $0 == own } > 1 ? set : own
  }

  private func flag(_ set: String) -> String {
    set == "kemar" ? "" : " --hrtf \(ShellText.quoted(set))"
  }
}
