import AudioCore
import IAMF

/// The mix of an IAMF track that is played, and why.
struct IAMFMixChoice {
  /// The mix.
  let mix: PlayableMix
  private let reason: String

  /// The mix with the number `wanted`; without one, the one that states the loudness of the most loudspeakers, and of
  /// several the first.
  /// - Throws: ``MediaError`` of kind `usage` where no mix that can be played has the number.
  init(_ description: SequenceDescription, wanted: Int?, path: String) throws {
    let mixes = description.playableMixes
    guard let first = mixes.first else {
      throw MediaError(.unsupportedFeature, about: path, "holds no mix that can be played")
    }
    guard let wanted else {
      var best = first
      for mix in mixes where mix.reach > best.reach { best = mix }
      mix = best
      reason =
        mixes.count == 1
        ? "the only mix that can be played"
        : "of \(mixes.count) mixes the first of those that state the loudness of the most loudspeakers"
      return
    }
    guard let found = mixes.first(where: { $0.presentation?.id == wanted }) else {
      let known = mixes.compactMap { $0.presentation.map { String($0.id) } }
      throw MediaError(
        .usage,
        "\(setting: .presentation) \(wanted): \(path) has the mixes \(known.joined(separator: ", ")); see "
          + "pinna probe")
    }
    mix = found
    reason = "asked for by \(setting: .presentation)"
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
  var language: String? {
    mix.presentation?.contentLanguage.flatMap { $0 == "und" || $0.isEmpty ? nil : $0 }
  }

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
  /// What isn't used, and why.
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
