// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Product {
  /// Result by `body` of a command with `arguments`, once all JSON that the command wrote is as its
  /// schema says.
  /// - Throws: ``ToolFailure`` when it isn't.
  package static func checked(
    _ arguments: [String],
    _ body: () async throws -> (status: Int32, output: Data, errors: String)
  ) async throws -> Tool.Result {
    let before = ProducedJSON.report(arguments)
    let end = try await body()
    let result = Tool.Result(status: end.status, output: end.output, errors: end.errors)
    try ProducedJSON.check(result, arguments, before: before)
    return result
  }
}
