/// A signal that goes through a convolver: a channel, or the sum or the difference of two whose
/// responses mirror each other.
///
/// Outputs are made of their middle, (left + right) / 2, and their side, (left − right) / 2. The sum
/// of mirrored channels is heard in the middle only and their difference at the side only; a symmetric
/// head hears each channel of a scene in one of the two only. That halves the multiplications and mirrors
/// the output to the last bit when its input is mirrored.
struct ConvolverInput {
  /// What the signal is made of; channels by index.
  enum Source: Equatable {
    case channel(Int)
    case sum(Int, Int)
    case difference(Int, Int)
  }

  /// What the signal is made of.
  let source: Source
  /// Taps to the middle; `nil` when it doesn't get there.
  let middle: [Double]?
  /// Taps to the side; `nil` when it doesn't get there.
  let side: [Double]?

  /// Responses this close, relative to their peak, are the same: far below what Float32 holds.
  private static let tolerance = 1e-11

  /// The signals that channels with these taps (channel × tap) are played by.
  static func list(left: [[Double]], right: [[Double]]) -> [ConvolverInput] {
    var taken = [Bool](repeating: false, count: left.count)
    var inputs: [ConvolverInput] = []
    for index in left.indices where !taken[index] {
      let (l, r) = (left[index], right[index])
      let middle = mean(l, r, sign: 1)
      guard !isSame(l, r) else {
        inputs.append(ConvolverInput(source: .channel(index), middle: middle, side: nil))
        continue
      }
      let side = mean(l, r, sign: -1)
      guard !isSame(l, r, sign: -1) else {
        inputs.append(ConvolverInput(source: .channel(index), middle: nil, side: side))
        continue
      }
      let mirror = left.indices.first { other in
        other > index && !taken[other] && isSame(l, right[other]) && isSame(r, left[other])
      }
      guard let mirror else {
        inputs.append(ConvolverInput(source: .channel(index), middle: middle, side: side))
        continue
      }
      taken[mirror] = true
      inputs.append(ConvolverInput(source: .sum(index, mirror), middle: middle, side: nil))
      inputs.append(ConvolverInput(source: .difference(index, mirror), middle: nil, side: side))
    }
    return inputs
  }

  private static func mean(_ one: [Double], _ other: [Double], sign: Double) -> [Double] {
    zip(one, other).map { ($0 + sign * $1) / 2 }
  }

  /// Whether `one` is `sign` times `other`.
  private static func isSame(_ one: [Double], _ other: [Double], sign: Double = 1) -> Bool {
    let peak = one.reduce(0) { max($0, $1.magnitude) }
    return zip(one, other).allSatisfy { ($0 - sign * $1).magnitude <= tolerance * peak }
  }
}
