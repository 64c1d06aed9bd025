// SPDX-License-Identifier: Apache-2.0
import Testing

/// Starts the tests. SwiftPM would write this itself, and would first search all test modules for tests of XCTest, which needs
/// an index of them.
@main struct XCTMain {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
