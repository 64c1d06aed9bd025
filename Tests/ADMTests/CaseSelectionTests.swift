// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ADM

/// The files beside the checkout, from the container to rendering items.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct CaseSelectionTests {
  private func select(
    _ id: String, _ request: SelectionRequest = SelectionRequest(),
    _ findings: FindingLog = FindingLog()
  ) throws -> Selection {
    let container = try ADMCases.container(id, findings: findings)
    let document = try container.document.flatMap {
      try DocumentParser.parse($0, findings: findings)
    }
    return try Selection(
      document, container.channels, channels: container.file.format.channels, request: request,
      findings: findings)
  }

  @Test(
    "each rendering of a good case selects items",
    arguments: ObjectCases.all.filter { !$0.isHostile })
  func goodFilesGiveItems(file: ObjectCases.Case) throws {
    for rendering in file.renders ?? [] {
      var request = SelectionRequest()
      request.programme = rendering.options.programme
      request.complements = (rendering.options.comp ?? []).compactMap { ElementID($0) }
      request.importance = rendering.options.importance
      #expect(try !select(file.id, request).items.isEmpty)
    }
  }

  /// Error of each broken file; files that aren't named give items.
  private static let refused: [String: ADMError.Code] = [
    "bad-entity-bomb": .documentType, "bad-entity-external": .documentType,
    "bad-cycle-objects": .cycle, "bad-diamond-objects": .limit, "bad-missing-ref": .reference,
    "bad-time-negative": .value, "bad-time-huge": .value, "bad-gain-nan": .value,
    "bad-gain-hex": .value, "bad-duplicate-id": .duplicate, "bad-chna-track-zero": .tracks,
    "bad-axml-size-lies": .container, "bad-not-xml": .syntax, "bad-bxml-bomb": .limit,
    "bad-deep": .limit,
  ]

  private static let repaired: [String: ADMFinding.Code] = [
    "bad-blocks-overlap": .blockTimes, "bad-position-out-of-range": .wrapped,
  ]

  @Test(
    "broken cases are refused with their code or give items with their finding",
    arguments: ObjectCases.all.filter(\.isHostile))
  func brokenFilesAreRefusedOrRepaired(file: ObjectCases.Case) throws {
    if let code = CaseSelectionTests.refused[file.id] {
      #expect(file.expect.contains("refuse"))
      let error = #expect(throws: ADMError.self) { try select(file.id) }
      #expect(error?.code == code, "\(error?.description ?? "")")
      #expect(error?.description.isEmpty == false)
    } else {
      #expect(file.expect != "refuse")
      let findings = FindingLog()
      #expect(try !select(file.id, SelectionRequest(), findings).items.isEmpty)
      if let code = CaseSelectionTests.repaired[file.id] {
        #expect(findings.findings.contains { $0.code == code })
      }
    }
  }

  @Test("the lowest programme is chosen unless one is asked for, and an unknown one is refused")
  func programmesAreChosen() throws {
    let findings = FindingLog()
    let lowest = try select("programmes", SelectionRequest(), findings)
    #expect(lowest.programme?.id.text == "APR_1001")
    #expect(findings.findings.contains { $0.code == .choice })
    #expect(lowest.items.map(\.object?.text) == ["AO_1002", "AO_1003", "AO_1004", "AO_1005"])
    var request = SelectionRequest()
    request.programme = "apr_1003"
    let third = try select("programmes", request)
    // Its alternativeValueSet replaces the gain of −6 dB and leaves the offset.
    let replaced = try #require(third.items.first { $0.object?.text == "AO_1004" })
    #expect(replaced.gain == 0.25)
    #expect(replaced.offset?.offset == Position(-20, 0, 0))
    request.programme = "APR_9"
    #expect(throws: ADMError.self) { try select("programmes", request) }
  }

  @Test("one of two complementary objects is played, the other when it is asked for")
  func oneOfComplementaryObjectsIsPlayed() throws {
    let plain = try select("complementary").items.map(\.object?.text)
    var request = SelectionRequest()
    request.complements = [ElementID(known: "AO_1002")]
    let other = try select("complementary", request).items.map(\.object?.text)
    #expect(plain.contains("AO_1001") && !plain.contains("AO_1002"))
    #expect(other.contains("AO_1002") && !other.contains("AO_1001"))
  }

  @Test("a Dolby Atmos master gives ten bed channels and three objects on their tracks")
  func aMasterOfDolbysProfileIsAccepted() throws {
    let findings = FindingLog()
    let selection = try select("atmos-master", SelectionRequest(), findings)
    #expect(selection.items.count == 13)
    #expect(selection.items.prefix(10).allSatisfy { $0.kind == .directSpeakers })
    #expect(selection.items.suffix(3).allSatisfy { $0.kind == .objects })
    #expect(selection.items.map { $0.channels.map(\.samples) } == (0..<13).map { [.track($0)] })
    #expect(findings.findings.first { $0.code == .streamNamesPack }?.count == 13)
  }

  @Test("a third-order sound field is one item of 16 channels in SN3D")
  func fieldsAreOneItem() throws {
    let item = try #require(try select("hoa-order3-sn3d").items.first)
    #expect(item.kind == .hoa)
    #expect(item.channels.count == 16)
    #expect(item.scene.normalization == .sn3d)
  }

  @Test("a mid/side matrix becomes mixes of ±0.707107 named FrontLeft and FrontRight")
  func matricesBecomeMixes() throws {
    let items = try select("matrix-mid-side").items
    let mixes = items.map { $0.channels.map(\.samples) }
    let term = { (gain: Double, track: Int) in
      SampleSource.Term(gain: gain, delay: 0, source: .track(track))
    }
    #expect(
      mixes == [
        [.mix([term(0.707107, 0), term(0.707107, 1)])],
        [.mix([term(0.707107, 0), term(-0.707107, 1)])],
      ])
    #expect(items.map(\.channels.first?.format.name) == ["FrontLeft", "FrontRight"])
  }

  @Test("tracks without objects are played") func tracksAloneAreEnough() throws {
    let items = try select("chna-only").items
    #expect(items.map { $0.channels.map(\.samples) } == [[.track(0)], [.track(1)]])
    #expect(items.allSatisfy { $0.kind == .directSpeakers && $0.object == nil })
  }

  /// Gaps in the middle stay silent; only those of rounding are closed.
  @Test("gaps of an object stay silent") func gapsStay() throws {
    let findings = FindingLog()
    _ = try select("late-objects", SelectionRequest(), findings)
    #expect(!findings.findings.contains { $0.code == .blockTimes })
  }

  /// Each cut of a document, and each of many changes, ends in items or in a refusal.
  @Test("cut and changed documents are refused in over a third of the places, and none traps")
  func damageNeverTraps() throws {
    let container = try ADMCases.container("objects-zone-exclusion")
    let whole = try #require(container.document)
    var refusals = 0
    for place in stride(from: 0, to: whole.count, by: 3) {
      var damaged = whole
      damaged[place] = [UInt8(ascii: "9"), 0x3C, 0x26, 0x20][place % 4]
      for document in [damaged, Array(whole[..<place])] {
        let findings = FindingLog()
        let selection = try? DocumentParser.parse(document, findings: findings).map {
          try Selection($0, container.channels, channels: 3, findings: findings)
        }
        if selection == nil { refusals += 1 }
      }
    }
    #expect(refusals > whole.count / 3)
  }
}
