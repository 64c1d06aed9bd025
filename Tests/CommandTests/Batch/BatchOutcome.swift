// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// How a batch ended, by its report.
struct BatchOutcome {
  let status: Int32
  let errors: String
  private let report: [String: Any]

  init(_ result: Tool.Result) {
    status = result.status
    errors = result.errors
    report = (try? JSONSerialization.jsonObject(with: result.output)) as? [String: Any] ?? [:]
  }

  private var items: [[String: Any]] { report["items"] as? [[String: Any]] ?? [] }

  /// Ids in the order of the report.
  var ids: [String] { items.compactMap { $0["id"] as? String } }

  /// Ids of the items that this run worked on.
  var worked: [String] {
    items.filter { $0["cached"] as? Bool == false }.compactMap { $0["id"] as? String }
  }

  /// Numbers by name.
  var counts: [String: Int] { report["counts"] as? [String: Int] ?? [:] }

  /// Status and kind of error of an item, as `ok` or `error crashed`.
  func state(_ id: String) -> String {
    guard let item = items.first(where: { $0["id"] as? String == id }) else { return "none" }
    let kind = (item["error"] as? [String: Any])?["kind"] as? String
    return [item["status"] as? String, kind].compactMap { $0 }.joined(separator: " ")
  }

  /// Exit code of an item.
  func code(_ id: String) -> Int? {
    items.first { $0["id"] as? String == id }?["exit"] as? Int
  }

  /// Sentence of an item's error.
  func message(_ id: String) -> String {
    let error = items.first { $0["id"] as? String == id }?["error"] as? [String: Any]
    return error?["message"] as? String ?? ""
  }
}
