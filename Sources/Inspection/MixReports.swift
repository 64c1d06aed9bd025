import IAMF
import MediaIn
import Report

extension ProbeReport.Mix {
  /// The mix of a track that has these facts.
  init(_ facts: MixFacts) {
    self.init(
      id: facts.id, names: facts.names.map(Name.init), language: facts.language,
      parts: facts.parts.map(Part.init),
      tags: facts.tags.map { Tag(name: $0.name, value: $0.value) }, chosen: facts.isChosen,
      refusal: facts.refusal)
  }
}

extension ProbeReport.Mix.Name {
  fileprivate init(_ name: MixFacts.Name) { self.init(language: name.language, text: name.text) }
}

extension ProbeReport.Mix.Part {
  fileprivate init(_ part: MixFacts.Part) {
    self.init(
      elements: part.elements.map(ProbeReport.Mix.Element.init), gainDB: part.gain,
      loudness: part.loudness.map(ProbeReport.Mix.Loudness.init))
  }
}

extension ProbeReport.Mix.Element {
  fileprivate init(_ element: MixFacts.Element) {
    self.init(
      id: element.id, names: element.names.map(ProbeReport.Mix.Name.init), kind: "missing",
      gainDB: element.gain)
    switch element.content {
    case .channels(let names):
      kind = "channels"
      layout = names.last
      layers = names.count > 1 ? names : nil
      headphones = ProbeReport.Mix.Element.word(element.headphones)
    case .scene(let order):
      kind = "scene"
      self.order = order
    case .other: kind = "other"
    case .missing: break
    }
  }

  private static func word(_ mode: RenderingConfig.HeadphonesMode) -> String {
    switch mode {
    case .stereo: return "stereo"
    case .binaural: return "binaural"
    case .headLocked: return "head-locked"
    case .reserved: return "reserved"
    }
  }
}

extension ProbeReport.Mix.Loudness {
  fileprivate init(_ stated: LayoutLoudness) {
    let anchors = stated.anchors.map { anchor in
      ProbeReport.Mix.Anchor(
        of: [1: "dialogue", 2: "album"][anchor.element] ?? "unknown", integrated: anchor.loudness)
    }
    self.init(
      layout: stated.layout.name, integrated: stated.integrated, samplePeak: stated.digitalPeak,
      truePeak: stated.truePeak, anchors: anchors.isEmpty ? nil : anchors,
      doubt: stated.isPlaceholder ? "placeholder" : stated.isImplausible ? "implausible" : nil)
  }
}
