// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import MediaOut

/// The mapping of a programme's elements to those of an IAMF file.
struct IAMFContents {
  /// Programme that is written.
  let programme: Programme
  /// The elements, with their planes.
  var elements: [IAMFSettings.Element] = []

  /// The elements of `programme`.
  /// - Parameter isBinaural: whether its two channels are made for headphones.
  /// - Throws: ``MediaError`` for what IAMF can't hold, and for layers that don't fit.
  init(_ programme: Programme, _ settings: Container.IAMF, isBinaural: Bool) throws {
    self.programme = programme
    var plane = 0
    for element in programme.elements {
      elements.append(
        try IAMFContents.element(element, settings, isBinaural: isBinaural, from: plane))
      plane += element.planes
    }
    let hasBed = elements.contains { !$0.written.layers.isEmpty }
    guard settings.layers.isEmpty || hasBed else {
      throw MediaError(
        .usage,
        "\(setting: .layers): \(programme.contents) have no layers; leave it out, or render to loudspeakers with "
          + "\(setting: .outputLayout)")
    }
  }

  /// Elements that readers find. Names of loudspeakers are IAMF's: a surround pair of five channels stands at the sides.
  var expected: [Programme.Element] {
    zip(programme.elements, elements).map { element, written in
      guard case .bed(let layers) = written.written.content, let layout = layers.last?.layout
      else { return element }
      return .bed(layout)
    }
  }

  /// The only bed and its layout; `nil` for anything else.
  var bed: (layout: ChannelLayout, layers: [LoudspeakerLayout])? {
    guard let layout = programme.bedFormat?.layout,
      case .bed(let layers)? = elements.first?.written.content
    else { return nil }
    return (layout, layers)
  }

  private static func element(
    _ element: Programme.Element, _ settings: Container.IAMF, isBinaural: Bool, from plane: Int
  ) throws -> IAMFSettings.Element {
    switch element {
    case .object:
      throw MediaError(
        .unsupportedFeature,
        "IAMF holds beds and sound fields, not objects; render them to loudspeakers with \(setting: .outputLayout)"
      )
    case .scene(let order):
      let written = try refusing { () throws(IAMFError) in
        try WrittenElement(.scene(channels: (order + 1) * (order + 1)))
      }
      return IAMFSettings.Element(written, planes: Array(plane..<plane + element.planes))
    case .bed(let layout):
      let written = try bed(layout, settings, isBinaural: isBinaural)
      let planes = written.channels.compactMap { channel in
        layout.speakers.firstIndex(of: speaker(channel, in: layout)).map { plane + $0 }
      }
      guard planes.count == element.planes else {
        throw MediaError(.internal, "IAMF: the channels of \(layout) have no places")
      }
      return IAMFSettings.Element(written, planes: planes)
    }
  }

  private static func bed(
    _ layout: ChannelLayout, _ settings: Container.IAMF, isBinaural: Bool
  ) throws -> WrittenElement {
    if isBinaural {
      guard settings.layers.isEmpty else {
        throw MediaError(
          .usage, "\(setting: .layers): sound for headphones has no layers; leave it out")
      }
      return try refusing { () throws(IAMFError) in try WrittenElement(.bed([.binaural])) }
    }
    // 3.1.2 isn't a layout of ours, so readers would take such a bed for channels by themselves.
    guard let whole = LoudspeakerLayout(layout), whole != .surround312 else {
      let known = Container.IAMF.Layer.allCases.filter { $0 != .surround312 }
      throw MediaError(
        .unsupportedFeature,
        "IAMF can't be written in \(layout); choose another layout with \(setting: .outputLayout): "
          + known.map(\.rawValue).joined(separator: ", "))
    }
    guard let last = settings.layers.last else {
      return try refusing { () throws(IAMFError) in try WrittenElement(.bed([whole])) }
    }
    guard last.layout == whole else {
      throw MediaError(
        .usage,
        "\(setting: .layers) \(settings.text): the last layer holds all channels, so it must be the layout of "
          + "the sound, \(layout)")
    }
    do throws(IAMFError) {
      return try WrittenElement(.bed(settings.layers.map(\.layout)))
    } catch {
      throw MediaError(
        .usage,
        "\(setting: .layers) \(settings.text): each layer must have all that the one before has, and something "
          + "more (\(error.reason))")
    }
  }

  private static func refusing(
    _ body: () throws(IAMFError) -> WrittenElement
  ) throws -> WrittenElement {
    do throws(IAMFError) { return try body() } catch {
      throw MediaError(.unsupportedFeature, "IAMF can't hold it: \(error.reason)")
    }
  }

  /// The loudspeaker of `layout` for a channel: the only surround pair may be called side or back.
  private static func speaker(_ channel: ElementChannel, in layout: ChannelLayout) -> Speaker {
    let isBack = !layout.speakers.contains(.sideLeft)
    switch channel {
    case .ls where isBack: return .backLeft
    case .rs where isBack: return .backRight
    default: return channel.speaker ?? .frontCenter
    }
  }
}

extension Container.IAMF {
  /// The layers as a setting has them.
  var text: String { layers.map(\.rawValue).joined(separator: ",") }
}

extension Container.IAMF.Layer {
  /// The layout by IAMF's own name.
  var layout: LoudspeakerLayout {
    switch self {
    case .mono: return .mono
    case .stereo: return .stereo
    case .surround312: return .surround312
    case .surround51: return .surround51
    case .surround512: return .surround512
    case .surround514: return .surround514
    case .surround71: return .surround71
    case .surround712: return .surround712
    case .surround714: return .surround714
    }
  }
}
