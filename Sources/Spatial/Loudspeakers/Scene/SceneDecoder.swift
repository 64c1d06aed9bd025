import AudioCore
import Platform

/// Decodes a sound field for loudspeakers: ACN order, SN3D normalised (ITU-R BS.2127-1, 9).
struct SceneDecoder {
  /// The highest order.
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
