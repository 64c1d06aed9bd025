// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ADM

/// The containers of the files beside the checkout.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct CaseContainerTests {
  /// Cases whose container, not whose document, is broken.
  private static let refused: [String: ADMError.Code] = [
    "bad-axml-size-lies": .container, "bad-chna-track-zero": .tracks, "bad-bxml-bomb": .limit,
  ]

  @Test(
    "each case's container is read at 48 kHz without findings or refused with its code",
    arguments: ObjectCases.all)
  func containersAreReadOrRefused(file: ObjectCases.Case) throws {
    let findings = FindingLog()
    guard let code = CaseContainerTests.refused[file.id] else {
      let container = try ADMCases.container(file.id, findings: findings)
      #expect(container.file.format.rate == 48000)
      #expect(container.channels != nil)
      #expect((container.document == nil) == (file.id == "chna-only"))
      #expect(findings.findings.isEmpty)
      return
    }
    let error = #expect(throws: ADMError.self) { try ADMCases.container(file.id) }
    #expect(error?.code == code)
  }

  @Test("a bxml document equals the axml one")
  func aCompressedDocumentIsThePlainOne() throws {
    let compressed = try #require(ADMCases.container("container-bxml").document)
    let plain = try #require(ADMCases.container("container-bw64").document)
    #expect(compressed == plain)
  }

  /// Every change of one byte of a compressed document ends in a result or in a refusal.
  @Test("a damaged byte of a bxml file is refused for more than 400 of 572 places, and none traps")
  func damagedCompressionNeverTraps() throws {
    let whole = try ADMCases.bytes("cases/container-bxml/input.wav")
    let refusals = (88..<660).filter { place in
      var damaged = whole
      damaged[place] ^= 0x55
      return (try? ADMContainer(WAVFile.source(damaged), findings: FindingLog())) == nil
    }
    #expect(refusals.count > 400)
  }
}
