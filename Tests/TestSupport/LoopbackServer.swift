// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An HTTP server on 127.0.0.1 that serves a folder and makes faults on request; it ends when this object
/// is released. `loopback_server.py` lists the names of the faults.
package final class LoopbackServer {
  /// Whether the server can run on this machine.
  package static let isPresent =
    (try? Tool.run("python3", ["-c", "import http.server"]).status) == 0

  /// `http://127.0.0.1:PORT/`, or `https://localhost:PORT/`.
  package let base: String

  private let process = Process()
  private let input = Pipe()
  private let logs: TemporaryFolder

  /// Starts a server of `folder`; with the PEM file of a key and its certificate for `localhost`, one over https.
  package init(folder: String, certificate: String? = nil) throws {
    logs = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("loopback_server.py").path
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", script, folder, logs.file("requests")] + (certificate.map { [$0] } ?? [])
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.availableData
    guard let port = Int(String(decoding: line, as: UTF8.self).filter(\.isNumber)) else {
      throw ToolFailure(text: "the loopback server named no port")
    }
    base = certificate == nil ? "http://127.0.0.1:\(port)/" : "https://localhost:\(port)/"
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// All requests so far: the path with its query, the requested range, `-` for none, and the number of the connection.
  package var requests: [(path: String, range: String, connection: String)] {
    let text = (try? String(contentsOf: logs.url("requests"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map {
      let parts = $0.split(separator: " ").map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "-", parts.last ?? "")
    }
  }
}
