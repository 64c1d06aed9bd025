// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Platform
import TestSupport
import Testing
import Verify

@testable import Rendering

@testable import Spatial

/// SOFA files are parsed in another process, so that a crash of the C library doesn't end this one.
@Suite(.tags(.system), .fullRunOnly) struct SOFAReaderProcessTests {
  private static let kemar = "/usr/share/libmysofa/default.sofa"
  private static let found =
    FileManager.default.fileExists(atPath: kemar) ? kemar : SharedMedia.hrtf
  private static let process = SOFAReaderProcess(
    executable: Product.path, arguments: ["sofa-reader", "--"])

  private func refusal(_ path: String, _ process: SOFAReaderProcess) -> MediaError? {
    do {
      _ = try HRTFLoader(reading: process.reading).load(HRTFRequest(.file(path)))
      return nil
    } catch { return error as? MediaError ?? MediaError(.internal, "foreign error: \(error)") }
  }

  @Test(
    "a SOFA file read in another process has the same bits",
    .enabled(if: found != nil, "there is no SOFA file here"))
  func aGoodFileGivesTheSameBits() throws {
    let path = try #require(SOFAReaderProcessTests.found)
    let sha256 = Digest.sha256(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    let here = try SOFAReading.bytes(path: path, sha256: sha256)
    let there = try Tool.run(Product.path, ["sofa-reader", "--", path, sha256])
    #expect(there.status == 0)
    #expect(Array(there.output) == here)
    #expect(refusal(path, SOFAReaderProcessTests.process) == nil)
  }

  /// In one process, about one in seventy of these crashes libmysofa.
  @Test(
    "a SOFA file with flipped bits is read, or refused with exit 3 or 5, though its parser crashes",
    .enabled(if: found != nil, "there is no SOFA file here"))
  func mutatedFilesAreReadOrRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("mutated.sofa")
    let whole = try Data(contentsOf: URL(fileURLWithPath: #require(SOFAReaderProcessTests.found)))
    var noise = SeededNoise(seed: 400)
    for number in 0..<Soak.rounds(40, soak: 2000) {
      var data = whole
      for _ in 0..<Int.random(in: 1...8, using: &noise) {
        // Half of them hit the structure at the front, which is what a parser follows.
        let end = Bool.random(using: &noise) ? min(16_384, data.count) : data.count
        data[Int.random(in: 0..<end, using: &noise)] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
      }
      try data.write(to: URL(fileURLWithPath: path))
      let sha256 = String(repeating: "0", count: 64)
      do {
        _ = try SOFAReaderProcessTests.process.reading.measurements(path: path, sha256: sha256)
      } catch let error as MediaError {
        #expect([3, 5].contains(error.exitCode), "\(number): \(error)")
        #expect(error.message.contains(path), "\(number): \(error)")
      }
    }
  }

  @Test(
    "a SOFA reader that crashes, hangs or answers wrongly makes the file unreadable",
    .enabled(if: found != nil, "there is no SOFA file here"))
  func aReaderThatCrashesHangsOrLiesIsAnUnreadableFile() throws {
    let path = try #require(SOFAReaderProcessTests.found)
    let scripts = [
      "kill -SEGV $$": "crash", "exec sleep 100": "after 1 s", "echo PinnaHRM": "nothing whole",
      "printf 'input-unreadable\\n%s is bad' \"$0\"; exit 1": "is bad",
    ]
    for (script, word) in scripts {
      // Only the process that hangs gets a short time limit.
      let process = SOFAReaderProcess(
        executable: "/bin/sh", arguments: ["-c", script],
        seconds: script.contains("sleep") ? 1 : 600)
      let error = refusal(path, process)
      #expect(error?.kind == .inputUnreadable, "\(script)")
      #expect(error?.message.contains(word) == true, "\(script): \(String(describing: error))")
      #expect(error?.message.contains(path) == true)
    }
    let missing = SOFAReaderProcess(executable: "/nowhere/at/all", arguments: [])
    #expect(refusal(path, missing)?.kind == .outOfResources)
  }
}
