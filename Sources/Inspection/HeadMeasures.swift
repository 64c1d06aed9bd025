import AudioCore
import Spatial

/// What somebody measured on a head.
public struct HeadMeasures: Sendable, Hashable {
  /// Height from the chin to the top that counts where none was measured, cm.
  public static let averageHeight = 23.0

  /// What was measured, in cm.
  public enum Measure: Sendable, Hashable {
    /// The circumference above ears and eyebrows.
    case circumference(Double)
    /// The width between the ears, the depth from the forehead to the back, and the height from the chin to the top.
    case sides(width: Double, depth: Double, height: Double)
  }

  /// What was measured.
  public var measure: Measure

  /// A head.
  public init(_ measure: Measure) { self.measure = measure }

  /// Refuses measures that no head has.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check() throws {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
      guard !range.contains(value) else { return }
      throw MediaError(
        .usage,
        "a head isn't \(value) cm \(name); give \(Int(range.lowerBound)) to \(Int(range.upperBound)) cm"
      )
    }
    switch measure {
    case .circumference(let length): try check("around", length, HRTFOptions.Head.circumferences)
    case .sides(let width, let depth, let height):
      try check("wide", width, 10...22)
      try check("deep", depth, 13...28)
      try check("high", height, 15...32)
    }
  }

  /// The sphere with such a head's delays.
  var size: HeadSize {
    switch measure {
    case .circumference(let length): return HeadSize(circumference: length)
    case .sides(let width, let depth, let height):
      return HeadSize(width: width, depth: depth, height: height)
    }
  }
}
