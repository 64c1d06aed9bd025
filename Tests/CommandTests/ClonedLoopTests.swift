// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Loops in C that are compiled for several kinds of machine (`CLONED`, `KERNEL`). If the macro is empty by mistake, or the
/// compiler leaves the attribute aside, all results are the same and everything is slower, so only the
/// program's symbols tell.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: hasClones, "only Linux with glibc on x86-64 has clones of loops"),
  .enabled(if: Tool.isInstalled("nm"), "nm isn't installed"))
struct ClonedLoopTests {
  @Test("each C loop marked CLONED or KERNEL has an AVX2 clone and a resolver in the program")
  func theProgramHasEachLoopForAVX2() throws {
    let listed = try Tool.run("nm", [Product.path])
    try #require(listed.status == 0, "\(listed.errors)")
    let symbols = String(decoding: listed.output, as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    let loops = try ClonedLoopTests.loops()
    #expect(loops.count > 25)
    // A clone's name is that of the loop, the machine's, and a number.
    let clones = Set(symbols.filter { $0.contains(".avx2") }.map { $0.prefix { $0 != "." } })
    let chosen = Set(symbols.filter { $0.hasSuffix(".resolver") }.map { $0.prefix { $0 != "." } })
    #expect(loops.filter { !clones.contains($0[...]) || !chosen.contains($0[...]) } == [])
  }

  /// Names of all functions that are declared to be cloned.
  private static func loops() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "CKernels"), includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "c" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
        if line.hasPrefix("KERNEL(") {
          // KERNEL(type, name, (
          return line.split(separator: ", ").dropFirst().first.map(String.init)
        }
        guard line.hasPrefix("CLONED ") else { return nil }
        return line.prefix { $0 != "(" }.split(separator: " ").last.map(String.init)
      }
    }
  }
}

/// Whether the C compiler makes clones here.
private let hasClones: Bool = {
  #if arch(x86_64) && canImport(Glibc)
    return true
  #else
    return false
  #endif
}()
