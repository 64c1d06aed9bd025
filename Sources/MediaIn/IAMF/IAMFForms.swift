import AudioCore
import IAMF

/// Which form of each element of a mix is made for the loudspeakers that it is played on.
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
