// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF

/// The mix of an IAMF track that is played, and why.
struct IAMFMixChoice {
  let mix: PlayableMix
  private let reason: String

  /// The mix that `wanted` names; without a choice, the one that states the loudness of the most loudspeakers, and of
  /// several the first.
  /// - Throws: ``MediaError`` of kind `usage` where no mix that can be played has the number.
  init(_ description: SequenceDescription, wanted: PresentationChoice?, path: String) throws {
    let mixes = description.playableMixes
    guard let usual = IAMFMixChoice.largest(mixes) else {
      throw MediaError(.unsupportedFeature, about: path, "holds no mix that can be played")
    }
    let usualReason =
      mixes.count == 1
      ? "the only mix that can be played"
      : "of \(mixes.count) mixes the first of those that state the loudness of the most loudspeakers"
    switch wanted {
    case nil: (mix, reason) = (usual, usualReason)
    case .number(let number):
      mix = try IAMFMixChoice.numbered(number, mixes, path)
      reason = "asked for by \(setting: .presentation)"
    case .languages(let languages):
      if let found = IAMFMixChoice.spoken(languages, mixes) {
        (mix, reason) = found
      } else {
        let known = mixes.map { $0.contentLanguage ?? "und" }.joined(separator: ", ")
        mix = usual
        reason =
          "\(setting: .presentation) asks for \(languages.joined(separator: " or ")), but the mixes are in "
          + "\(known); \(usualReason)"
      }
    }
  }

  private static func numbered(
    _ number: Int, _ mixes: [PlayableMix], _ path: String
  ) throws -> PlayableMix {
    if let found = mixes.first(where: { $0.presentation?.id == number }) { return found }
    let known = mixes.compactMap { $0.presentation.map { String($0.id) } }
    throw MediaError(
      .usage,
      "\(setting: .presentation) \(number): \(path) has the mixes \(known.joined(separator: ", ")); see "
        + "pinna probe")
  }

  /// The mix whose stated language is the first of `wanted` that one has, else the one whose name is in such a
  /// language and which states none; `nil` without any.
  private static func spoken(
    _ wanted: [String], _ mixes: [PlayableMix]
  ) -> (mix: PlayableMix, reason: String)? {
    for language in wanted {
      let found = mixes.filter { mix in
        mix.contentLanguage.map { LanguageCodes.serves($0, language) } == true
      }
      if let mix = largest(found) {
        return (mix, "its content_language is \(mix.contentLanguage ?? language)")
      }
    }
    // Names are often English whatever is spoken, so they count only where nothing else is stated.
    let unstated = mixes.filter { $0.contentLanguage == nil }
    for language in wanted {
      let found = unstated.filter { mix in
        mix.presentation?.languages.contains { LanguageCodes.serves($0, language) } == true
      }
      if let mix = largest(found) {
        return (mix, "it states no content_language, and has a name in \(language)")
      }
    }
    return nil
  }

  /// The first of the mixes that state the loudness of the most loudspeakers.
  private static func largest(_ mixes: [PlayableMix]) -> PlayableMix? {
    guard var best = mixes.first else { return nil }
    for mix in mixes where mix.reach > best.reach { best = mix }
    return best
  }

  /// The mix of a later sequence that has the same number as `before`, else the first.
  /// - Throws: ``MediaError`` where none can be played.
  init(_ description: SequenceDescription, like before: PlayableMix) throws {
    let mixes = description.playableMixes
    guard
      let found = mixes.first(where: { $0.presentation?.id == before.presentation?.id })
        ?? mixes.first
    else {
      throw MediaError(.unsupportedFeature, "a later sequence holds no mix that can be played")
    }
    mix = found
    reason = ""
  }

  /// Its number and name.
  var name: String {
    guard let presentation = mix.presentation else { return "the only element" }
    let label = presentation.annotations.first.map { " (\($0))" } ?? ""
    return "\(presentation.id)\(label)"
  }

  /// The language of what is heard, as an ISO 639 code.
  var language: String? { mix.contentLanguage }

  /// Writes down the choice, and what of the file isn't used.
  func report(_ description: SequenceDescription, to log: DiagnosticLog) {
    log.decide(.presentation, name, why: reason)
    let elements = mix.elements.compactMap { description.playableElements[$0.id] }
    if elements.count > 1 {
      log.decide(
        .mix, "\(elements.count) elements", why: "the mix presentation sums them at its gains")
    }
    for element in elements {
      let output = ElementReconstructor(element).output
      guard case .scene(let count) = output, IAMFScene.order(count) > IAMFScene.mostOrder else {
        continue
      }
      log.degrade(
        .objectsRepaired,
        "a sound field of order \(IAMFScene.order(count)) is cut to order \(IAMFScene.mostOrder)")
    }
    for entry in description.ignored {
      log.decide(.presentation, "some left out", why: entry.words)
    }
  }
}

extension PlayableMix {
  /// The language of what is heard, as an ISO 639 code; `nil` where the file doesn't know it.
  fileprivate var contentLanguage: String? {
    presentation?.contentLanguage.flatMap { $0 == "und" || $0.isEmpty ? nil : $0 }
  }

  /// Greatest number of loudspeakers that its loudness is stated for.
  fileprivate var reach: Int {
    let stated = presentation?.subMixes.flatMap(\.loudness) ?? []
    return stated.map { loudness in
      if case .loudspeakers(let system) = loudness.layout { return system.loudspeakers }
      return 0
    }.max() ?? 0
  }
}

extension SequenceDescription.Ignored {
  /// Description of the descriptor that isn't used, and why.
  fileprivate var words: String {
    let what: String
    switch kind {
    case .codecConfig: what = "codec configuration"
    case .audioElement: what = "element"
    case .mixPresentation: what = "mix"
    default: what = "parameter"
    }
    return "\(what)\(id.map { " \($0)" } ?? ""): \(error.reason)"
  }
}

/// The form of each element of a mix that is made for the loudspeakers that it is played on.
struct IAMFForms {
  let playback: PlaybackLayout

  /// The form of `element`; `nil` for the highest layer.
  func form(of element: PlayableElement) -> ElementForm? {
    guard case .only(let wanted, let followsFile) = playback,
      let layout = LoudspeakerLayout.allCases.first(where: { IAMFScene.isLayout($0, wanted) }),
      let form = element.form(for: layout, followsFactors: followsFile),
      form != .layer(element.layerCount - 1)
    else { return nil }
    return form
  }

  /// Whether an element of `mix` isn't rendered from its highest layer.
  func areUsed(by mix: PlayableMix, of description: SequenceDescription) -> Bool {
    mix.elements.contains { entry in
      description.playableElements[entry.id].flatMap(form) != nil
    }
  }

  /// Writes down what is made of the elements of `mix`, where that isn't their highest layer or might not be.
  func report(_ mix: PlayableMix, of description: SequenceDescription, to log: DiagnosticLog) {
    for entry in mix.elements {
      guard let element = description.playableElements[entry.id] else { continue }
      switch form(of: element) {
      case .layer(let index):
        log.decide(
          .layout, element.layerLayouts[index].name ?? "a lower layer",
          why: "element \(entry.id) has a layer of this layout, which is played as it is")
      case .downmix(let layout):
        log.decide(
          .downmix, "element \(entry.id) to \(layout.name ?? "fewer channels")",
          why: "given \(setting: .downmix) stream, by the factors of its demixing parameter")
      case nil:
        guard playback == .several, element.layerCount > 1 else { continue }
        log.decide(
          .layout, "the highest layer of element \(entry.id)",
          why:
            "the outputs want different layouts, so no lower layer is played as it is; one job for each "
            + "plays it")
      }
    }
  }
}

extension IAMFMixChoice {
  /// How loud the mix is on each layout that Pinna has; nothing for several sub-mixes, whose sum nobody states.
  /// - Parameter forms: what is made of the elements.
  func loudness(
    _ description: SequenceDescription, _ forms: IAMFForms
  ) -> [StatedLoudness] {
    guard let parts = mix.presentation?.subMixes, parts.count == 1 else { return [] }
    let elements = mix.elements.compactMap { description.playableElements[$0.id] }
    return parts[0].loudness.compactMap { stated in
      let doubt: StatedLoudness.Doubt? =
        stated.isPlaceholder ? .placeholder : stated.isImplausible ? .implausible : nil
      switch stated.layout {
      case .binaural:
        return StatedLoudness(layout: nil, integrated: stated.integrated, doubt: doubt)
      case .loudspeakers(let system):
        guard let layout = system.layout else { return nil }
        return StatedLoudness(
          layout: layout, integrated: stated.integrated, doubt: doubt,
          isOfOwnDownmix: elements.contains { element in
            forms.form(of: element) == nil && element.hasOwnDownmix(below: system.loudspeakers)
          })
      case .reserved: return nil
      }
    }
  }
}

extension PlayableElement {
  /// Whether it has a lower layer, or factors of a downmix, for layouts of fewer than its channels.
  fileprivate func hasOwnDownmix(below count: Int) -> Bool {
    guard let highest = layerChannels.last, highest.count > count else { return false }
    return element.demixing != nil || layerCount > 1
  }
}

extension SoundSystem {
  /// A layout of ours with these loudspeakers; `nil` where there is none.
  fileprivate var layout: ChannelLayout? {
    switch self {
    case .b: return ChannelLayout(name: "5.1(side)")
    // Channels at ±60° are wide ones here.
    case .surround916: return ChannelLayout(name: "9.1.6(wide)")
    case .surround312: return ChannelLayout(name: "FL+FR+FC+LFE+TFL+TFR")
    default: return ChannelLayout(name: name)
    }
  }
}
