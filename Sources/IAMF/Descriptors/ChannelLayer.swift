import Signal

/// A layer of an element of channels: what it adds to the layers below it (`ChannelAudioLayerConfig`).
package struct ChannelLayer: Equatable, Sendable {
  /// A gain that restores the level of channels that were attenuated before coding.
  package struct OutputGain: Equatable, Sendable {
    /// Channels of the layer that it counts for, from the most significant of six bits on: L, R, Ls, Rs, Ltf,
    /// Rtf.
    package var flags: Int
    /// The gain in dB.
    package var gain: Double

    /// What a reader multiplies these channels by.
    var amplitude: Float { Float(Decibels.amplitude(gain)) }
  }

  /// Most layers of an element.
  static let mostLayers = 6

  /// Its number, `loudspeaker_layout`.
  package var layoutNumber: Int
  /// The gain of some of its channels.
  package var outputGain: OutputGain?
  /// Whether recon gain blocks have values for it.
  package var hasReconGain: Bool
  /// Substreams of one or two channels, at least 1.
  package var substreamCount: Int
  /// Substreams of two channels, which come first.
  package var coupledCount: Int
  /// `expanded_loudspeaker_layout`, of a first layer whose layout is the expanded one.
  package var expandedNumber: Int?
}

extension ChannelLayer {
  init(_ bits: inout BitReader, isFirst: Bool) throws(IAMFError) {
    layoutNumber = try bits.read(4)
    let hasOutputGain = try bits.flag()
    hasReconGain = try bits.flag()
    try bits.skip(2)
    substreamCount = try bits.read(8)
    coupledCount = try bits.read(8)
    guard substreamCount > 0, coupledCount <= substreamCount else {
      throw .malformed("\(coupledCount) coupled of \(substreamCount) substreams")
    }
    if hasOutputGain {
      let flags = try bits.read(6)
      try bits.skip(2)
      outputGain = OutputGain(flags: flags, gain: try bits.fixed())
    }
    if isFirst, layout == .expanded { expandedNumber = try bits.read(8) }
  }

  /// Its layout; `nil` for a reserved number.
  package var layout: LoudspeakerLayout? { LoudspeakerLayout(rawValue: layoutNumber) }

  /// The part of a larger layout that it has; `nil` of other layouts and for a reserved number.
  package var expanded: ExpandedLayout? { expandedNumber.flatMap(ExpandedLayout.init) }

  /// Channels of each of its substreams.
  var substreamChannels: [Int] {
    (0..<substreamCount).map { $0 < coupledCount ? 2 : 1 }
  }
}
