// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Rounds of tests that search at random: few with `make test`, many with `make soak` at night.
package enum Soak {
  /// Whether `make soak` runs, which sets `PINNA_SOAK`.
  package static let isRunning = ProcessInfo.processInfo.environment["PINNA_SOAK"] == "1"

  /// `few` rounds in the suite that every change passes, `many` in a soak.
  package static func rounds(_ few: Int, soak many: Int) -> Int { isRunning ? many : few }
}
