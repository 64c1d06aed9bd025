import Foundation
import TestSupport
import Testing

/// Data that doesn't arrive on standard output is a failure.
@Suite struct StandardStreamTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
  }

  private func bash(_ script: String) throws -> Tool.Result {
    try Tool.run("bash", ["-c", script, Product.path, source, folder.file("out.wav")])
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func lostJSONIsAFailure(redirection: String) throws {
    for command in ["render \"$1\" -o \"$2\" -y --json", "measure --json \"$1\"", "probe \"$1\""] {
      let result = try bash("\"$0\" \(command) \(redirection)")
      #expect(result.status == 6, "\(command): \(result.errors)")
      #expect(result.errors.contains("standard output"))
    }
  }

  @Test func closedStreamsDontReachTheOutput() throws {
    let result = try bash("\"$0\" render \"$1\" -o \"$2\" --json <&- >&- 2>&-")
    #expect(result.status == 6)
    #expect(try Product.run(["render", source, "-o", folder.file("whole.wav")]).status == 0)
    let files = try ["out.wav", "whole.wav"].map { try Data(contentsOf: folder.url($0)) }
    #expect(files[0] == files[1])
  }

  @Test func anEmptyTMPDIRIsNone() throws {
    let script = """
      mkfifo "$2"; sleep 20 > "$2" & writer=$!
      TMPDIR= "$0" render - -o "$2.wav" < "$2" & pid=$!
      sleep 0.5; readlink /proc/$pid/fd/*; kill -KILL $pid $writer
      """
    let opened = String(decoding: try bash(script).output, as: UTF8.self)
    // With a name on file systems that can't do without.
    let names = opened.split(separator: "\n").filter { $0.hasSuffix(" (deleted)") }
    #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("/var/tmp/") }, "\(opened)")
  }
}
