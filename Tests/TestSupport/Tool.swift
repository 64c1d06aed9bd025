// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs outside programs: oracles and the product itself.
package enum Tool {
  /// How a program ended.
  package struct Result: Sendable {
    /// Exit code; 128 + signal when it was killed.
    package let status: Int32
    /// Standard output.
    package let output: Data
    /// Standard error as text.
    package let errors: String
  }

  /// Runs `program` (found on PATH) with `arguments` and waits for it.
  package static func run(
    _ program: String, _ arguments: [String], input: Data? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Output goes to files instead of pipes, because a full pipe would block the program.
    let folder = try TemporaryFolder()
    let outputURL = folder.url("out")
    let errorURL = folder.url("err")
    for url in [outputURL, errorURL] { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorURL)
    if let input {
      try input.write(to: folder.url("in"))
      process.standardInput = try FileHandle(forReadingFrom: folder.url("in"))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return Result(
      status: process.terminationStatus + (signalled ? 128 : 0),
      output: try Data(contentsOf: outputURL),
      errors: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self))
  }

  /// Whether `program` is found on PATH.
  package static func isInstalled(_ program: String) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// Runs ffmpeg quietly with `arguments` and fails when it does.
  package static func ffmpeg(_ arguments: [String]) throws {
    let quiet = ["-nostdin", "-hide_banner", "-v", "error", "-y"]
    let result = try run("ffmpeg", quiet + arguments)
    guard result.status == 0 else {
      throw ToolFailure(text: "ffmpeg \(arguments.joined(separator: " ")): \(result.errors)")
    }
  }
}

/// An outside program failed where it had to succeed.
package struct ToolFailure: Error, CustomStringConvertible {
  /// Its message.
  package let text: String

  /// A failure with the message `text`.
  package init(text: String) { self.text = text }

  /// Equal to ``text``.
  package var description: String { text }
}
