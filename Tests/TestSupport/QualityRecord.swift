// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hands measured figures to the table of quality goals.
package enum QualityRecord {
  private static let path = ProcessInfo.processInfo.environment["PINNA_QUALITY"]

  /// Notes that `metric` of the HRTF set `set` came out as `figure`; appends a JSON line to the file
  /// that PINNA_QUALITY names, and does nothing without it.
  package static func add(_ metric: String, _ set: String, _ figure: Double) {
    guard let path, let file = fopen(path, "a") else { return }
    defer { fclose(file) }
    let got = figure.isFinite ? "\(figure)" : "null"
    // One write for one line: tests run side by side.
    fputs("{\"metric\": \"\(metric)\", \"set\": \"\(set)\", \"got\": \(got)}\n", file)
  }
}
