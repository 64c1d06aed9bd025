// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Report

// Programmes that are stored as they are.
extension RendererChooser {
  /// Everything as it is, in a container that holds `kept`.
  func keep(_ kept: KeptContent) throws -> Choice {
    if kept == .bedsAndFields, holdsObjects {
      throw MediaError(
        .unsupportedFeature,
        "IAMF holds beds and sound fields, but the programme holds \(programme.contents); render them to "
          + "loudspeakers with \(setting: .outputLayout), e.g. \(setting: .outputLayout) 7.1.4, or keep them with "
          + "\(setting: .container) bw64")
    }
    try refuseChanges(in: kept == .everything ? container.kind.traits.name : "IAMF")
    log.decide(
      .endpoint, "none",
      why:
        "\(programme.contents) are stored as they are, with new metadata "
        + (kept == .everything
          ? "(ITU-R BS.2076-2); names of contents, kinds of dialogue and what listeners may change aren't written"
          : "(IAMF 1.1)"))
    return measuredElsewhere
  }

  /// The sound field `field` as the channels of a file without metadata, which holds `most` of them.
  func keep(_ field: FieldInput, most: Int) throws -> Choice {
    let name = container.kind.traits.name
    guard field.channels <= most else {
      throw MediaError(
        .unsupportedFeature,
        "\(name) holds at most \(most) channels, but the programme is \(programme.contents), which has "
          + "\(field.channels); keep it with \(setting: .container) wav or bw64, or name loudspeakers with "
          + "\(setting: .outputLayout), e.g. \(setting: .outputLayout) 7.1.4")
    }
    try refuseChanges(in: name)
    log.decide(
      .endpoint, "none",
      why:
        "\(programme.contents) is stored as \(field.channels.counted("channel", "channels")) of AmbiX (ACN, SN3D); nothing in \(name) "
        + "says so, so readers need \(setting: .inputField) \(field)")
    return measuredElsewhere
  }

  /// Refuses what would change a programme that is stored as it is in the container called `name`.
  private func refuseChanges(in name: String) throws {
    let changes: [(isAsked: Bool, setting: Setting)] = [
      (rendition.sampleRate.map { $0 != programme.sampleRate } ?? false, .sampleRate),
      (rendition.lfe != .standard, .lfeGain), (rendition.tail == .keep, .tail),
      (rendition.filterHead == .keep, .filterHead),
    ]
    guard let change = changes.first(where: \.isAsked) else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(setting: change.setting): a programme of \(programme.contents) is stored as it is in \(name); leave it out, "
        + "or render the programme to loudspeakers with \(setting: .outputLayout)")
  }

  /// Level and peak of a programme that is stored as it is are those of a rendering.
  private var measuredElsewhere: Choice {
    let layout = rendition.loudnessLayout ?? ChannelSource.usual
    log.decide(
      .layout, layout.name,
      why: rendition.loudnessLayout == nil
        ? "level and peak are those of the programme as ITU-R BS.1770-5 renders it"
        : "level and peak are measured in this layout, as \(setting: .loudnessLayout) asks for")
    return Choice(plan: .kept(measuredIn: layout))
  }

  private var holdsObjects: Bool {
    programme.elements.contains { element in
      if case .object = element { return true }
      return false
    }
  }
}

extension Programme {
  /// The sound field that is all of the programme, in ACN order and SN3D; `nil` for anything else.
  var onlyField: FieldInput? {
    guard elements.count == 1, case .scene(let order)? = elements.first else { return nil }
    return FieldInput(order: order)
  }
}
