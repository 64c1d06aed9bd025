// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Works out how loud each channel of an output plays the planes of a programme (ITU-R BS.2127-1).
///
/// Beds are rendered as channels of the common pack of their layout, or by the names of their directions
/// where there is none.
final class OutputGains {
  private let output: LoudspeakerOutput
  private let objects: ObjectGains
  private let speakers: SpeakerChannelGains

  /// Gains for the channels of `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that can't be had.
  init(_ layout: ChannelLayout) throws {
    output = try LoudspeakerOutput(layout)
    objects = ObjectGains(output.layout)
    speakers = SpeakerChannelGains(output.layout)
  }

  /// Number of channels.
  var channels: Int { output.channels }

  /// Number of the decorrelation filter of each channel; `nil` for LFE. Mono has the filter of a layout of
  /// one name.
  var filters: [Int?] {
    guard !output.isMono else { return [0] }
    return output.order.map { index in
      let speaker = output.layout.speakers[index]
      return speaker.isLFE ? nil : speaker.filter
    }
  }

  /// Gains of an object in `state`, by its role.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for the signal of an ear, unless the output is
  ///   stereo.
  func gains(of state: ObjectState) throws -> SpeakerGains {
    switch state.rules.role {
    case .source: return channels(of: objects.gains(of: state))
    case .speaker(let channel):
      let gains = speakers.gains(of: channel, at: state.position)
      return channels(of: gains.map { state.gain.isFinite ? $0 * state.gain : 0 })
    case .ear(let ear):
      guard output.layout.name == "0+2+0" else {
        throw MediaError(
          .unsupportedFeature,
          "the programme holds channels made for headphones, which can't be played by "
            + (output.isMono ? "one loudspeaker" : "\(channels) loudspeakers")
            + "; render it to stereo or for headphones")
      }
      let name = ear == .left ? "M+030" : "M-030"
      return channels(of: output.layout.speakers.map { $0.name == name ? state.gain : 0 })
    }
  }

  /// Gains of each channel of a bed.
  func gains(ofBed layout: ChannelLayout) -> [SpeakerGains] {
    let pack = LoudspeakerOutput.pack(of: layout)
    return LoudspeakerOutput.labels(of: layout).enumerated().map { index, label in
      let channel = SpeakerChannel(
        labels: [label], pack: pack, isLFE: layout.speakers[index].isLFE)
      let position = ObjectPosition.polar(layout.direction(at: index), distance: 1)
      return channels(of: speakers.gains(of: channel, at: position))
    }
  }

  /// Gains of each component of a sound field. Mono gets the component that is the same from everywhere.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for an order that is too high.
  func gains(ofScene order: Int) throws -> [SpeakerGains] {
    let rows = try SceneDecoder(order: order, layout: output.layout).gains
    let mains = output.layout.mains
    return (0..<(order + 1) * (order + 1)).map { component in
      guard !output.isMono else { return SpeakerGains(direct: [component == 0 ? 1 : 0]) }
      var gains = [Double](repeating: 0, count: output.layout.speakers.count)
      for (main, index) in mains.enumerated() { gains[index] = rows[main][component] }
      return channels(of: gains)
    }
  }

  private func channels(of direct: [Double]) -> SpeakerGains {
    SpeakerGains(direct: channels(of: direct))
  }

  private func channels(of gains: SpeakerGains) -> SpeakerGains {
    SpeakerGains(direct: channels(of: gains.direct), diffuse: channels(of: gains.diffuse))
  }

  private func channels(of gains: [Double]) -> [Double] {
    guard output.isMono else { return output.order.map { gains[$0] } }
    return [GainVector.norm(output.layout.mains.map { gains[$0] })]
  }
}

/// The places of a layout's loudspeakers (ITU-R BS.2051) among the channels of a programme.
///
/// A channel layout is rendered as the layout of ITU-R BS.2051 whose loudspeakers stand where its channels
/// do. One without LFE is rendered as with it, and the LFE's signal is dropped, as the standard drops it for
/// 0+2+0. Mono (0+1+0) isn't known to the standard: it is rendered as 0+5+0, and its only loudspeaker plays
/// the power sum of all gains but the LFE's.
struct LoudspeakerOutput: Sendable {
  /// The layout in which gains are calculated.
  let layout: LoudspeakerLayout
  /// For each channel the number of its loudspeaker; empty for mono.
  let order: [Int]
  /// Whether all gains come together in one channel.
  var isMono: Bool { order.isEmpty }
  /// Number of channels.
  var channels: Int { max(1, order.count) }

  /// The output for the channels of `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that ITU-R BS.2051 doesn't have; the
  ///   message lists those that can be had.
  init(_ channels: ChannelLayout) throws {
    guard let output = LoudspeakerOutput(fitting: channels) else {
      throw MediaError(
        .unsupportedFeature,
        "the loudspeaker renderer can't place objects in the layout \(channels); choose one of "
          + LoudspeakerOutput.names.joined(separator: ", "))
    }
    self = output
  }

  /// The output for `channels`; `nil` where no layout fits.
  private init?(fitting channels: ChannelLayout) {
    if channels == .mono, let surround = LoudspeakerLayout.named("0+5+0") {
      (layout, order) = (surround, [])
      return
    }
    for layout in LoudspeakerLayout.all {
      if let order = LoudspeakerOutput.order(of: channels, in: layout) {
        (self.layout, self.order) = (layout, order)
        return
      }
    }
    return nil
  }

  /// Names of the layouts that can be rendered to, of those that have a name.
  static let names = ChannelLayout.knownNames.filter { name in
    ChannelLayout(name: name).flatMap { LoudspeakerOutput(fitting: $0) } != nil
  }

  /// Name in ITU-R BS.2051 of each channel of any layout: by the label of its direction, LFE by number.
  static func labels(of channels: ChannelLayout) -> [String] {
    channels.speakers.indices.map { index in
      switch channels.speakers[index] {
      case .lowFrequency: return "LFE1"
      case .lowFrequency2: return "LFE2"
      default: return channels.direction(at: index).label
      }
    }
  }

  /// The common pack of a layout's channels (ITU-R BS.2094-1); `nil` where there is none.
  static func pack(of channels: ChannelLayout) -> String? {
    if channels == .mono { return "AP_00010001" }
    return LoudspeakerLayout.all.first { order(of: channels, in: $0) != nil }
      .flatMap { SpeakerRules.shared.packs(of: $0.name).first }
  }

  /// Numbers of the loudspeakers that play the channels; `nil` when a channel has none or a loudspeaker
  /// other than an LFE has no channel.
  private static func order(of channels: ChannelLayout, in layout: LoudspeakerLayout) -> [Int]? {
    guard !channels.speakers.contains(where: { $0 == .downmixLeft || $0 == .downmixRight }) else {
      return nil
    }
    let order = labels(of: channels).compactMap { label in
      layout.speakers.firstIndex { $0.name == label }
    }
    let lfe = order.filter { layout.speakers[$0].isLFE }.count
    let isWhole = order.count - lfe == layout.mains.count
    guard order.count == channels.count, Set(order).count == order.count, isWhole else {
      return nil
    }
    return lfe == 0 || lfe == layout.speakers.count - layout.mains.count ? order : nil
  }
}

/// Decodes a sound field for loudspeakers: ACN order, SN3D normalised (ITU-R BS.2127-1, 9).
struct SceneDecoder {
  static let highestOrder = 7
  /// The highest order whose decoders are in the tables; others are designed.
  private static let highestTable = 5

  /// Gains of each loudspeaker that isn't an LFE, (order + 1)² of them each.
  let gains: [[Double]]

  /// The decoder of `order` for `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for orders above 7.
  init(order: Int, layout: LoudspeakerLayout) throws {
    guard (0...SceneDecoder.highestOrder).contains(order) else {
      throw MediaError(
        .unsupportedFeature,
        "the loudspeaker renderer takes sound fields up to order \(SceneDecoder.highestOrder), but "
          + "the programme holds one of order \(order)")
    }
    let table = SceneDecoder.table(order: order, layout: layout.name)
    gains = table.isEmpty ? SceneDecoder.design(order: order, layout: layout) : table
  }

  /// The decoder in the tables; empty where there is none.
  private static func table(order: Int, layout: String) -> [[Double]] {
    let lines = SceneDecoders.text.split(separator: "\n")
    guard order <= highestTable, let start = lines.firstIndex(of: "decoder \(layout) \(order)")
    else { return [] }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("decoder") }.map { line in
      line.split(separator: " ").compactMap { Double($0) }.map { $0 / 1e9 }
    }
  }

  /// All-round ambisonic panning: harmonics of points all round are played by the point source panner. The
  /// mean power over all directions is 1.
  static func design(order: Int, layout: LoudspeakerLayout, points: Int = 5000) -> [[Double]] {
    let panner = PointSourcePanner(layout)
    let norms = (0..<SphericalHarmonics.count(order: order)).map { channel in
      let order = SphericalHarmonics.orderAndDegree(of: channel).order
      return SceneNormalization.n3d.factor(order: order, degree: 0)
    }
    let directions = UnitVector.lattice(points)
    let harmonics = directions.map { SceneDecoder.harmonics(at: $0, order: order) }
    var gains = [[Double]](
      repeating: [Double](repeating: 0, count: norms.count), count: panner.count)
    for (direction, values) in zip(directions, harmonics) {
      for (speaker, gain) in panner.gains(direction).enumerated() where gain != 0 {
        // N3D once for its own normalisation and once for that of the components.
        for (index, value) in values.enumerated() {
          gains[speaker][index] += gain * value * norms[index] * norms[index]
        }
      }
    }
    let power = harmonics.reduce(0) { $0 + outputPower(of: gains, for: $1) } / Double(points)
    return gains.map { row in row.map { $0 / power.squareRoot() } }
  }

  /// Values in ACN order, SN3D, at a point of the unit sphere with X to the right and Y ahead, as the panner
  /// has them; the harmonics have x ahead and y to the left.
  static func harmonics(at point: SIMD3<Double>, order: Int) -> [Double] {
    SphericalHarmonics(order: order, normalization: .sn3d)
      .values(at: SIMD3(point.y, -point.x, point.z))
  }

  private static func outputPower(of gains: [[Double]], for values: [Double]) -> Double {
    gains.reduce(0) { sum, row in
      let output = zip(row, values).reduce(0) { $0 + $1.0 * $1.1 }
      return sum + output * output
    }
  }
}
