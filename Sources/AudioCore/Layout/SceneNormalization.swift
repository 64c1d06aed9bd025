/// How the spherical harmonics of a scene are normalised, and how FuMa orders its channels.
package enum SceneNormalization: String, Sendable, CaseIterable {
  /// Schmidt's semi-normalisation: no channel exceeds the first one (ITU-R BS.2076-2, 10.1).
  case sn3d
  /// Equal mean power in every channel: SN3D times the root of 2n + 1.
  case n3d
  /// Furse and Malham's factors, order 3 at most.
  case fuMa

  /// Highest order of a sound field that Pinna takes in this normalisation.
  package var highestOrder: Int { self == .fuMa ? 3 : 7 }

  /// What a channel of SN3D is multiplied by to have this normalisation, for `order` n ≤
  /// ``highestOrder`` and `degree` −n…n; dividing by it brings a channel to SN3D.
  package func factor(order: Int, degree: Int) -> Double {
    precondition((0...highestOrder).contains(order) && abs(degree) <= order, "order out of range")
    switch self {
    case .sn3d: return 1
    case .n3d: return Double(2 * order + 1).squareRoot()
    case .fuMa: return SceneNormalization.furseMalham[order][abs(degree)]
    }
  }

  /// The ACN channels of FuMa's channels W X Y Z R S T U V K L M N O P Q.
  package static let furseMalhamOrder = [0, 3, 1, 2, 6, 7, 5, 8, 4, 12, 13, 11, 14, 10, 15, 9]

  /// Factors by order and magnitude of the degree.
  private static let furseMalham: [[Double]] = [
    [(1.0 / 2).squareRoot()], [1, 1], [1, (4.0 / 3).squareRoot(), (4.0 / 3).squareRoot()],
    [1, (45.0 / 32).squareRoot(), (9.0 / 5).squareRoot(), (8.0 / 5).squareRoot()],
  ]
}
