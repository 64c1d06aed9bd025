// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import Inspection
import MediaIn
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
      "Equalisers for headphones: off and files of AutoEq or Equalizer APO, with commas between them.",
      valueName: "list"))
  var eq = "off"
  @Option(
    help: ArgumentHelp(
      "One more way by its name and flags of pinna render, as \"warm: --hrtf a.sofa --eq warm.txt\" (repeatable).",
      valueName: "name: flags"))
  var way: [String] = []
  @Option(
    help: ArgumentHelp(
      "A finished file, such as an earlier render, played at the same times as one more way.",
      valueName: "file"))
  var against: String?

  /// The ways: headphones with each set, head, room and equaliser, then speakers with each set, then the stereo mix, those with
  /// flags of their own, and the finished file.
  /// - Throws: ``MediaError`` of kind `usage`.
  func ways() throws -> [AuditionWay] {
    let sets = try list(hrtf, "--hrtf")
    let rooms = try list(room, "--room")
    let scales = try list(itdScale, "--itd-scale")
    let equalizers = try list(eq, "--eq")
    var ways: [AuditionWay] = []
    let kinds = try endpoints(
      sets.count * rooms.count * scales.count * equalizers.count)
    guard
      kinds.contains(.headphones) || rooms == ["off"] && scales == ["1"] && equalizers == ["off"]
    else {
      throw MediaError(
        .usage,
        "--room, --itd-scale and --eq are compared on headphones; add headphones to --endpoint, or leave them out"
      )
    }
    for kind in kinds {
      switch kind {
      case .headphones:
        for set in sets {
          for scale in scales {
            for room in rooms {
              ways += try equalizers.map { try equalized(headphones(set, scale, room), by: $0) }
            }
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
    ways += try way.map(AuditionWays.named)
    if let against {
      ways.append(AuditionWay(label: name(against), flags: "", source: .file(against)))
    }
    return ways
  }

  /// A way before an equaliser, and after it; `off` leaves it as it is.
  private func equalized(_ way: AuditionWay, by file: String) throws -> AuditionWay {
    guard file != "off" else { return way }
    let label = way.label + ", " + (PathParts.of(file).last ?? file)
    return try AuditionWays.parsed(label, way.flags + " --eq " + ShellText.quoted(file))
  }

  /// A way that is given as `name: flags`.
  private static func named(_ text: String) throws -> AuditionWay {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].contains(where: { !$0.isWhitespace }) else {
      throw MediaError(.usage, "--way \(text): give a name and flags, as \"warm: --eq warm.txt\"")
    }
    return try parsed(parts[0], parts[1])
  }

  /// The way that flags of `render` ask for.
  private static func parsed(_ label: String, _ flags: String) throws -> AuditionWay {
    guard let words = ShellText.words(of: flags) else {
      throw MediaError(.usage, "--way \(label): a quotation mark isn't closed in \(flags)")
    }
    do {
      let requests = try RenderCommand.requests(["in.wav", "-o", "out.wav"] + words)
      guard requests.count == 1, requests[0].outputs.count == 1,
        let rendition = requests[0].outputs[0].rendition
      else { throw MediaError(.usage, "they ask for more than one output") }
      guard requests[0].clips[0].decoding == InputOptions() else {
        throw MediaError(
          .usage,
          "they say how inputs are read, which is the same for all ways; give that outside of it")
      }
      return AuditionWay(
        label: label, flags: words.map(ShellText.quoted).joined(separator: " "),
        source: .rendition(rendition))
    } catch let error as MediaError {
      throw MediaError(error.kind, "the way \(label): \(error.message)")
    }
  }

  /// The files that the ways are made of.
  var files: [String] {
    (against.map { [$0] } ?? []) + eq.split(separator: ",").map(String.init).filter { $0 != "off" }
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
      listener.room = try Given<RoomModel>(argument: room).model()
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
