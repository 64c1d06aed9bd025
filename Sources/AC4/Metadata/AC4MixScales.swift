/// The gains of main audio under associated audio, as coded: steps of −0.3 dB, 255 is silence
/// (TS 103 190-1, 4.3.12.4.4 to 4.3.12.4.9).
package struct AC4MixScales: Sendable, Equatable {
  /// `scale_main`: all channels.
  package internal(set) var main: Int?
  /// `scale_main_centre`: the centre, on top of ``main``.
  package internal(set) var centre: Int?
  /// `scale_main_front`: left and right, on top of ``main``.
  package internal(set) var front: Int?
  /// `pan_associated`: where mono associated audio comes from, in steps of 1.5° to the right.
  package internal(set) var pan: Int?

  init() {}

  /// Reads the three scales, and the angle if `hasPan` answers that one follows.
  init(
    _ bits: inout BitReader, hasPan: (inout BitReader) throws(AC4Error) -> Bool
  ) throws(AC4Error) {
    main = try bits.optional(8)
    centre = try bits.optional(8)
    front = try bits.optional(8)
    if try hasPan(&bits) { pan = try bits.read(8) }
  }

  /// These values, replaced by those that `newer` has.
  func updated(by newer: AC4MixScales) -> AC4MixScales {
    var result = self
    result.main = newer.main ?? main
    result.centre = newer.centre ?? centre
    result.front = newer.front ?? front
    result.pan = newer.pan ?? pan
    return result
  }

  /// The gain of a code; 1 when nothing was sent.
  static func gain(_ code: Int?) -> Double {
    guard let code else { return 1 }
    return code >= 255 ? 0 : Maths.decibels(-0.3 * Double(code))
  }
}
