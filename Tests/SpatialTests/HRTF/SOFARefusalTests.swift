// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SOFARefusalTests {
  static let kemar = "/usr/share/libmysofa/default.sofa"
  static let hasKemar = FileManager.default.fileExists(atPath: kemar)

  private func refusal(_ path: String) -> MediaError? {
    do {
      _ = try HRTFSet.load(path: path)
      return nil
    } catch {
      return error as? MediaError
    }
  }

  private func withFile(_ bytes: Data, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "pinna-\(UUID().uuidString).sofa").path
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test("missing SOFA files, folders and /dev/null are refused as missing or unreadable")
  func refusesMissingFilesAndFolders() {
    #expect(refusal("/nowhere/at/all.sofa")?.kind == .inputMissing)
    #expect(refusal("-")?.kind == .inputMissing)
    #expect(refusal("/usr/share")?.kind == .inputUnreadable)
    #expect(refusal("/dev/null")?.kind == .inputUnreadable)
  }

  @Test("empty, text, random and cut HDF5 bytes are refused as unreadable with the path")
  func refusesWhatIsNoSOFAFile() throws {
    let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
    let signature = Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])
    let texts = [Data(), Data("just text, no HRTF".utf8), garbage, signature, signature + garbage]
    for bytes in texts {
      try withFile(bytes) { path in
        let error = refusal(path)
        #expect(error?.kind == .inputUnreadable)
        #expect(error?.message.contains(path) == true)
      }
    }
  }

  @Test(
    "a SOFA file cut at any of ten lengths is refused as unreadable",
    .enabled(if: hasKemar, "libmysofa's set is not installed"))
  func refusesTruncatedFiles() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: SOFARefusalTests.kemar))
    for part in [1, 8, 47, 48, 96, 512, 2048, 10000, 500_000, whole.count - 1] {
      try withFile(whole.prefix(part)) { #expect(refusal($0)?.kind == .inputUnreadable) }
    }
  }

  @Test(
    "libmysofa's KEMAR file loads with its figures and renders within −25 dB of the built-in set",
    .enabled(if: hasKemar, "libmysofa's set is not installed"))
  func loadsAWholeFile() throws {
    let set = try HRTFSet.load(path: SOFARefusalTests.kemar)
    #expect(set.directionCount == 710)
    #expect(set.tapCount == 512)
    #expect(set.sourceRate == 44100)
    #expect(set.id == "default.sofa")
    #expect(set.citation.contains("MIT"))
    #expect(set.grid.isSymmetric)
    // The built-in set was measured with the same head, so the output must be similar.
    let own = try Render.impulse(.frontLeft, in: "stereo", HRTFSet.builtIn()).ears
    let file = try Render.impulse(.frontLeft, in: "stereo", set).ears
    for ear in 0..<2 { #expect(Render.difference(own[ear], file[ear]) < -25) }
  }
}
