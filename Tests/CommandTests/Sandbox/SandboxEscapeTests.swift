// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

/// A process in the sandbox can't get out, whatever it tries, on kernels with each version of Landlock.
@Suite(
  .tags(.system),
  .enabled(if: Sandbox.possible.landlock > 0, "this kernel has no Landlock"),
  .enabled(if: Sandbox.possible.filtersCalls, "this kernel has no filters of system calls"))
struct SandboxEscapeTests {
  /// The result of one way out.
  private struct Way {
    /// Version of Landlock that closes it; 0 where a filter of system calls does.
    let version: Int
    /// 0 where it led out.
    let code: Int
    let name: String
  }

  /// The output of a run of the program.
  private struct Outcome {
    var ways: [Way] = []
    var allowed: [String: Int] = [:]
    var held = ""
  }

  private static let program = URL(fileURLWithPath: Product.path).deletingLastPathComponent()
    .appendingPathComponent("SandboxEscapes").path

  /// Runs the program that tries; `version` is the newest version of Landlock, −1 for no sandbox.
  private func outcome(_ version: Int, _ more: [String] = []) throws -> Outcome {
    let folder = try TemporaryFolder()
    for name in ["outside", "inside", "outside/empty"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    for name in ["secret", "written", "removed", "moved", "emptied", "opened", "moded"] {
      try Data("secret".utf8).write(to: folder.url("outside/" + name))
    }
    try Data("open".utf8).write(to: folder.url("inside/allowed"))
    try FileManager.default.copyItem(atPath: "/usr/bin/true", toPath: folder.file("inside/program"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("inside/link"), withDestinationPath: folder.file("outside/secret"))
    let result = try Tool.run(
      SandboxEscapeTests.program,
      ["\(version)", folder.file("outside"), folder.file("inside")] + more)
    try #require(result.status == 0, "\(result.errors)")
    var outcome = Outcome()
    for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      switch words[0] {
      case "way":
        outcome.ways.append(
          Way(version: Int(words[2]) ?? 0, code: Int(words[3]) ?? 0, name: words[4]))
      case "allowed": outcome.allowed[words[1]] = Int(words[2])
      default: outcome.held = words[2]
      }
    }
    if version >= 0 { try #require(outcome.ways.count > 40) }
    return outcome
  }

  /// Without this test, nothing would show that the ways lead anywhere.
  @Test("without a sandbox each way out of SandboxEscapes works")
  func withoutTheSandboxEachWayThatIsOpenLeadsOut() throws {
    let closed = try outcome(-1).ways.filter { $0.code != 0 }
    #expect(closed.isEmpty, "\(closed.map { "\($0.name): \($0.code)" })")
  }

  @Test(
    "each version of Landlock closes the ways that it is known to close",
    arguments: 1...max(1, Sandbox.possible.landlock))
  func eachVersionOfLandlockClosesItsWays(version: Int) throws {
    let outcome = try outcome(version)
    let open = outcome.ways.filter { $0.code == 0 && $0.version <= version }
    #expect(open.isEmpty, "\(open.map(\.name))")
    #expect(outcome.allowed == ["allowed": 0, "new": 0])
    let words = SandboxState(landlock: version, filtersCalls: true, usesNetwork: false).held
    #expect(outcome.held == words.joined(separator: ","))
  }

  @Test("without Landlock the filter of system calls closes its ways")
  func filtersOfSystemCallsHoldWithoutLandlock() throws {
    let outcome = try outcome(0)
    let open = outcome.ways.filter { $0.code == 0 && $0.version == 0 }
    #expect(open.isEmpty, "\(open.map(\.name))")
    #expect(outcome.held == "calls")
  }

  @Test("a sandbox with a network opens TCP and UDP sockets and nothing else")
  func theNetworkOpensOnlySockets() throws {
    let outcome = try outcome(SandboxState.newestLandlock, ["network"])
    let open = outcome.ways.filter { $0.code == 0 }.map(\.name)
    #expect(open == ["opens a TCP socket", "opens a UDP socket"])
  }
}

/// Statements about kernels that can't hold everything.
@Suite struct SandboxStateTests {
  @Test("a kernel without Landlock is named as a gap")
  func aKernelWithoutLandlockIsNamed() {
    let state = SandboxState(landlock: 0, filtersCalls: true, usesNetwork: false)
    #expect(state.gap?.contains("no Landlock") == true)
    #expect(state.held == ["calls"])
  }

  @Test("Landlock 4 names what that version doesn't guard")
  func anOldLandlockSaysWhatItDoesNotGuard() {
    let state = SandboxState(landlock: 4, filtersCalls: true, usesNetwork: false)
    #expect(
      state.gap
        == "this kernel has Landlock 4, which doesn't guard controlling devices and signals to other processes"
    )
    #expect(state.held == ["files", "moves", "truncation", "connections", "calls"])
  }

  @Test("Landlock 6 has no gap")
  func aNewKernelHasNoGap() {
    #expect(SandboxState(landlock: 6, filtersCalls: true, usesNetwork: false).gap == nil)
    #expect(SandboxState(landlock: 0, filtersCalls: false, usesNetwork: false).isEmpty)
  }
}
