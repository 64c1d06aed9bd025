// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A server on 127.0.0.1 that answers as a hostile one might; it ends when this object is released.
/// `hostile_server.py` lists what it does.
package final class HostileServer: Sendable {
  /// An answer, or the beginning of one.
  package struct Answer: Sendable {
    /// The URL as it was asked for.
    package let url: String
    /// Host of the request.
    package let host: String
    /// Authorization of the request, with `_` for spaces; `-` for nothing.
    package let authorization: String
    /// Bytes sent.
    package let sent: Int
  }

  /// The port of http, and those of https for each certificate.
  package let ports: [Int]

  private let process = Process()
  private let input = Pipe()
  private let logs: TemporaryFolder

  /// Starts a server that has the files of `folder`; `certificates` are PEM files with a key and its certificate.
  package init(folder: String, certificates: [String] = []) throws {
    logs = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("hostile_server.py").path
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, logs.file("answers"), folder] + certificates
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      line += String(decoding: more, as: UTF8.self)
    }
    ports = line.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
    guard ports.count == certificates.count + 1 else {
      throw ToolFailure(text: "the hostile server named no ports, but \"\(line)\"")
    }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The answers to requests whose URL contains `part`, in the order in which the requests came, once all of
  /// the answers have ended.
  package func answers(to part: String) throws -> [Answer] {
    // The client may be gone before the server has noticed that.
    for _ in 0..<3000 {
      let text = (try? String(contentsOf: logs.url("answers"), encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        .filter { $0.count == 6 && $0[2].contains(part) }
      let ended = lines.filter { $0[0] == "end" }
      if ended.count * 2 == lines.count {
        // A client that has an answer may send its next request before the server notes the answer's end.
        return ended.sorted { (Int($0[1]) ?? 0) < (Int($1[1]) ?? 0) }.map {
          Answer(url: $0[2], host: $0[3], authorization: $0[4], sent: Int($0[5]) ?? 0)
        }
      }
      usleep(20_000)
    }
    throw ToolFailure(text: "the hostile server still answers \(part) after a minute")
  }
}
