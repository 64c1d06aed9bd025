// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import PinnaCLI

/// Runs a command inside the tests' own process, which takes a millisecond instead of the seventy of a new process.
///
/// The program's own code parses words and ends the command, so that exit code and text are those of the program;
/// `InProcessTests` compares them. Use it for commands that are refused or only print: those that start a worker, a
/// program or a reader of SOFA files would start the tests in place of `pinna`.
enum InProcess {
  /// How `pinna` ends with `arguments`, and what it prints.
  /// - Throws: ``ToolFailure`` when a part of it is JSON that isn't as its schema says, or when the command can't run here.
  static func run(_ arguments: [String]) async throws -> Tool.Result {
    for (index, word) in arguments.enumerated() where others.contains(word) {
      // Text for standard output is kept in memory; samples aren't.
      if word == "-", index > 0, arguments[index - 1] == "-o", arguments[0] != "render" { continue }
      throw ToolFailure(text: "\(word) needs a process of its own; use Product.run")
    }
    return try await Product.checked(arguments) {
      let record = TerminalRecord()
      let code = await TerminalRecord.$current.withValue(record) { await Main.run(arguments) }
      return (code, Data(record.output), record.errors)
    }
  }

  /// Words of command lines that change the process or read its standard input.
  private static let others: Set<String> = [
    "--sandbox", "--isolate", "-", "worker", "confined", "sofa-reader",
  ]
}
