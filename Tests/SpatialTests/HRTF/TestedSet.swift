// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Spatial

/// The HRTF sets that quality is measured with.
enum TestedSet: String, CaseIterable {
  case kemar
  case sadie

  /// The sets that this machine has: the built-in set, and the test set when it lies beside the package.
  static let here = allCases.filter { $0 == .kemar || HeldOutTests.found != nil }

  /// The set.
  func load() throws -> HRTFSet {
    switch self {
    case .kemar: return try HRTFSet.builtIn()
    case .sadie: return try HRTFSet.load(path: #require(HeldOutTests.found))
    }
  }

  /// The set of another head; `nil` when this machine lacks it.
  var other: TestedSet? { TestedSet.here.first { $0 != self } }
}
