import Testing

@testable import Spatial

/// The HRTF sets that quality is measured with.
enum TestedSet: String, CaseIterable {
  case kemar
  case sadie

  /// Those that are here: the built-in set, and the test set where it lies beside the package.
  static let here = allCases.filter { $0 == .kemar || HeldOutTests.found != nil }

  /// The set.
  func load() throws -> HRTFSet {
    switch self {
    case .kemar: return try HRTFSet.builtIn()
    case .sadie: return try HRTFSet.load(path: #require(HeldOutTests.found))
    }
  }

  /// The one of another head; `nil` when it isn't here.
  var other: TestedSet? { TestedSet.here.first { $0 != self } }
}
