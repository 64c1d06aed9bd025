// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import LibAV
import Platform

/// The audio definition metadata of a WAV file, and what of it is played (ITU-R BS.2076, BS.2088).
package struct ObjectScene {
  /// Chunks and format of the file.
  package let container: ADMContainer
  /// The document; `nil` for a file that has only `chna`.
  package let document: ADMDocument?
  /// Selection that is played.
  package let selection: Selection
  /// Elements and planes of what is played.
  package let layout: SceneLayout
  /// Findings on what was repaired, accepted or passed over.
  package let findings: [ADMFinding]

  /// Reads the metadata of a marked file; `nil` where there are none.
  /// - Throws: ``MediaError`` for metadata that are damaged or ask for what isn't there.
  package init?(_ file: LocalFile, _ options: ObjectOptions) throws {
    let log = FindingLog()
    do {
      container = try ADMContainer(FileBytes(file), findings: log)
      document = try container.document.flatMap { text throws(ADMError) in
        try DocumentParser.parse(text, findings: log)
      }
      guard document != nil || container.channels != nil else { return nil }
      let request = try ObjectScene.request(options)
      selection = try Selection(
        document, container.channels, channels: container.file.format.channels, request: request,
        findings: log)
      let modes =
        options.headphoneModes == .follow
        ? container.dolby?.headphoneModes.map(\.wanted) ?? [] : []
      let names = (document?.objects ?? []).reduce(into: [ElementID: String]()) {
        $0[$1.id] = $1.name
      }
      layout = try SceneLayout(
        selection, states: ItemStates(version: document?.version ?? 2, modes: modes),
        names: names, rate: container.file.format.rate)
    } catch {
      throw ObjectScene.failure(error, about: file.path)
    }
    findings = log.findings
  }

  /// Whether the file is a WAV file with a chunk of such metadata. Chunks are looked at only as far as their
  /// headers reach, so that other files cost next to nothing.
  static func isMarked(_ file: LocalFile) -> Bool {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12,
      ["RIFF", "RF64", "BW64"].contains(String(decoding: head[0..<4], as: UTF8.self)),
      head[8...].elementsEqual("WAVE".utf8),
      let wave = try? WaveFile(FileBytes(file), findings: FindingLog())
    else { return false }
    return ["axml", "bxml", "chna", "sxml"].contains { wave.chunk($0) != nil }
  }

  /// The refusal with the way out.
  private static func failure(_ error: ADMError, about path: String) -> MediaError {
    let failure = error.mediaError(about: path)
    switch error.code {
    case .request: return failure
    case .interaction:
      return MediaError(
        failure.kind, about: path,
        "\(error); \(setting: .objects) with identifiers plays only some objects of any file",
        cause: error)
    default:
      return MediaError(
        failure.kind, about: path,
        "\(error); \(setting: .objects) bed plays the channels as they are", cause: error)
    }
  }

  private static func request(_ options: ObjectOptions) throws(ADMError) -> SelectionRequest {
    var request = SelectionRequest()
    request.programme = options.programme
    request.importance = options.importance
    request.only = options.only
    request.changes = options.changes
    for text in options.complements {
      guard let id = ElementID(text) else {
        throw ADMError(.request, "\"\(text.prefix(80))\" is no identifier of an object")
      }
      request.complements.append(id)
    }
    return request
  }

  /// The layout of a selection that is nothing but the channels of one, from the beginning to the end and at
  /// their own level; `nil` for any other. Such a file is played as a bed.
  package var bed: (layout: ChannelLayout, tracks: [Int])? {
    var tracks: [Speaker: Int] = [:]
    for item in selection.items {
      guard item.kind == .directSpeakers, let channel = item.channels.first, item.gain == 1,
        item.start == .zero, !endsEarly(item), item.offset == nil,
        case .track(let track) = channel.samples, let block = channel.format.blocks.first,
        channel.format.blocks.count == 1, block.gain == 1,
        block.flags.isDisjoint(with: [.hasStart, .hasDuration]),
        let speaker = BedSpeakers.speaker(of: channel.format.id, in: item.packs.last),
        tracks.updateValue(track, forKey: speaker) == nil
      else { return nil }
    }
    let layout = ChannelLayout(Array(tracks.keys))
    let packs = Set(selection.items.map { $0.packs.last })
    guard packs.count == 1, let named = BedSpeakers.layout(of: packs.first ?? nil),
      named == layout
    else { return nil }
    return (layout, layout.speakers.compactMap { tracks[$0] })
  }

  /// Planes of items whose content is dialogue; `bedTracks` are the tracks of a bed's channels. `nil` for none.
  func dialogue(bedTracks: [Int]?) -> [Int]? {
    let isDialogue = selection.items.map { $0.listener.kinds.contains("dialogue") }
    var planes: [Int] = []
    if let bedTracks {
      let tracks = zip(selection.items, isDialogue).filter(\.1).compactMap { item, _ -> Int? in
        guard case .track(let track)? = item.channels.first?.samples else { return nil }
        return track
      }
      planes = bedTracks.indices.filter { tracks.contains(bedTracks[$0]) }
    } else {
      var first = 0
      for (element, isDialogue) in zip(layout.elements, isDialogue) {
        if isDialogue { planes += first..<first + element.planes }
        first += element.planes
      }
    }
    return planes.isEmpty ? nil : planes
  }

  private func endsEarly(_ item: RenderingItem) -> Bool {
    let file = container.file
    return item.end.map { $0.firstSample(at: file.format.rate) < file.frames } ?? false
  }

  /// Planes that hold these tracks as they are.
  func planes(ofTracks tracks: [Int]) -> [ScenePlane] {
    tracks.map { ScenePlane(terms: SampleTerms(track: $0)) }
  }

  /// The programme's language; `nil` where none is stated.
  var language: String? {
    selection.programme.flatMap { $0.language.isEmpty ? nil : $0.language }
  }

  /// Writes down what was found.
  package func report(to log: DiagnosticLog) {
    for finding in findings {
      switch finding.code {
      case .choice:
        log.decide(.programme, selection.programme?.id.text ?? "none", why: finding.message)
      case .leftOut: log.decide(.objects, "some left out", why: finding.message)
      case .changed: log.decide(.objectsChanged, "as asked", why: finding.message)
      case .encoding, .unknownElement, .lenientValue, .channelTable, .commonReplaced,
        .streamNamesPack, .wrapped:
        log.decide(.objectMetadata, "accepted", why: finding.text)
      case .container, .dolbyMetadata, .contradiction, .blockTimes, .blockOrder, .interpolation,
        .blocksBeyondObject, .ignored, .unused:
        log.degrade(.objectsRepaired, finding.text)
      }
    }
  }
}

extension ADMFinding {
  /// The sentence, with the number of cases where there are several.
  fileprivate var text: String { count == 1 ? message : "\(message) (\(count) times)" }
}

/// Loudspeakers of the packs of ITU-R BS.2094-1 that are layouts of ours, too.
enum BedSpeakers {
  /// The layout of a pack, by its identifier.
  private static let names: [String: String] = [
    "AP_00010001": "mono", "AP_00010002": "stereo", "AP_0001000A": "3.0", "AP_0001000B": "4.0",
    "AP_0001000C": "5.0(side)", "AP_00010003": "5.1(side)", "AP_0001000F": "7.1",
    "AP_00010004": "5.1.2", "AP_00010005": "5.1.4", "AP_00010017": "7.1.4",
    "AP_00010009": "22.2",
  ]

  /// The layout that `pack` holds the channels of; `nil` for other packs.
  static func layout(of pack: ElementID?) -> ChannelLayout? {
    pack.flatMap { names[$0.text] }.flatMap { ChannelLayout(name: $0) }
  }

  /// The loudspeaker of a channel of the common definitions in `pack`; `nil` for other channels and packs.
  static func speaker(of channel: ElementID, in pack: ElementID?) -> Speaker? {
    guard let layout = layout(of: pack), let format = CommonDefinitions.channels[channel],
      let block = format.blocks.first
    else { return nil }
    let label = format.details(of: block).speaker.labels.first?.split(separator: ":").last
    switch label.map(String.init) {
    case "LFE", "LFE1", "LFEL": return .lowFrequency
    case "LFE2", "LFER": return .lowFrequency2
    case let name?:
      return layout.speakers.indices.first {
        !layout.speakers[$0].isLFE && layout.direction(at: $0).label == name
      }.map { layout.speakers[$0] }
    case nil: return nil
    }
  }
}
