// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ADM

@Suite struct SelectionTests {
  private func select(
    _ body: String, _ numbers: [Int], request: SelectionRequest = SelectionRequest(),
    findings: FindingLog = FindingLog()
  ) throws -> Selection {
    try Selection(
      try ADMText.parse(body), ADMText.table(numbers), channels: numbers.count, request: request,
      findings: findings)
  }

  private func refusal(_ body: String, _ numbers: [Int]) -> ADMError? {
    #expect(throws: ADMError.self) { try select(body, numbers) }
  }

  @Test("two objects become items in their order with the tracks of their UIDs")
  func objectsBecomeItems() throws {
    let selection = try select(ADMText.object(2) + ADMText.object(1), [1, 2])
    #expect(selection.items.map(\.object?.text) == ["AO_0002", "AO_0001"])
    #expect(selection.items.map { $0.channels.map(\.samples) } == [[.track(1)], [.track(0)]])
    #expect(selection.unusedTracks.isEmpty)
  }

  /// Packs may lie inside each other, 32 deep.
  @Test("packs nested 32 deep are read and 33 deep refused", arguments: [(31, true), (32, false)])
  func packsMayBeNested(outer: Int, isRead: Bool) throws {
    let names = (0..<outer).map { "AP_0003" + String($0 + 0x2000, radix: 16) } + ["AP_00030001"]
    let packs = zip(names, names.dropFirst()).map { name, inner in
      "<audioPackFormat audioPackFormatID=\"\(name)\" typeLabel=\"0003\"><audioPackFormatIDRef>"
        + "\(inner)</audioPackFormatIDRef></audioPackFormat>"
    }
    let object = ADMText.object(1).replacing(
      "<audioPackFormatIDRef>AP_00030001</audioPackFormatIDRef>",
      with: "<audioPackFormatIDRef>\(names[0])</audioPackFormatIDRef>", maxReplacements: 1)
    let body = object + packs.joined()
    guard isRead else {
      #expect(refusal(body, [1])?.code == .limit)
      return
    }
    #expect(try select(body, [1]).items.map(\.channels.count) == [1])
  }

  /// 65536 packs are visited below one, whatever way leads to them. Each of 16 packs here refers to the next one twice, so
  /// that few lines make very many ways.
  @Test("65,536 visits of packs are read and one more is refused")
  func waysThroughPacksAreLimited() throws {
    let names = (0..<16).map { "AP_0003" + String($0 + 0x2000, radix: 16) }
    func pack(_ name: String, _ packs: [String], channel: String = "") -> String {
      "<audioPackFormat audioPackFormatID=\"\(name)\" typeLabel=\"0003\">\(channel)"
        + packs.map { "<audioPackFormatIDRef>\($0)</audioPackFormatIDRef>" }.joined()
        + "</audioPackFormat>"
    }
    let doubled = zip(names, names.dropFirst()).map { pack($0, [$1, $1]) }.joined()
    let channel = "<audioChannelFormatIDRef>AC_00030001</audioChannelFormatIDRef>"
    // 1 + 65535 packs, and one more.
    for (packs, isRead) in [([names[0]], true), ([names[0], "AP_00033000"], false)] {
      let body =
        ADMText.object(1).replacing(pack("AP_00030001", [], channel: channel), with: "")
        + pack("AP_00030001", packs, channel: channel) + doubled + pack(names[15], [])
        + pack("AP_00033000", [])
      guard isRead else {
        #expect(refusal(body, [1])?.code == .limit)
        continue
      }
      #expect(try select(body, [1]).items.map(\.channels.count) == [1])
    }
  }

  @Test("tracks that the programme doesn't play are reported by number")
  func unusedTracksAreNamed() throws {
    let findings = FindingLog()
    let programme =
      "<audioProgramme audioProgrammeID=\"APR_1\"><audioContentIDRef>ACO_1</audioContentIDRef>"
      + "</audioProgramme><audioContent audioContentID=\"ACO_1\"><audioObjectIDRef>AO_0001"
      + "</audioObjectIDRef></audioContent>"
    let objects = (1...3).map { ADMText.object($0) }.joined()
    let selection = try select(programme + objects, [1, 2, 3], findings: findings)
    #expect(selection.unusedTracks == [1, 2])
    #expect(findings.findings.map(\.message) == ["nothing plays 2 of the 3 tracks: 2, 3"])
  }

  @Test("the innermost object's gain and the lower importance count")
  func onlyTheInnermostObjectsValuesCount() throws {
    let outer =
      "<audioObject audioObjectID=\"AO_9\" importance=\"4\"><audioObjectIDRef>AO_0001</audioObjectIDRef>"
      + "<gain>0.5</gain></audioObject>"
    let inner = ADMText.object(1, attributes: "importance=\"7\"", "<gain>0.25</gain>")
    let item = try #require(try select(outer + inner, [1]).items.first)
    #expect(item.gain == 0.25)
    #expect(item.importance == 4)
    var request = SelectionRequest()
    request.importance = 5
    #expect(try select(outer + inner, [1], request: request).items.isEmpty)
  }

  @Test("a muted object has gain 0")
  func mutedObjectsHaveNoGain() throws {
    let body = ADMText.object(1, "<gain>0.25</gain><mute>1</mute>")
    #expect(try select(body, [1]).items.map(\.gain) == [0])
  }

  @Test("a reference to a missing object is refused with both identifiers")
  func whatRefersToNothingIsRefusedWithBothIdentifiers() throws {
    let error = try #require(
      refusal(ADMText.object(1, "<audioObjectIDRef>AO_7777</audioObjectIDRef>"), [1]))
    #expect(error.code == .reference)
    #expect(error.message.contains("AO_0001") && error.message.contains("AO_7777"))
  }

  @Test("packs that hold each other are refused with the cycle")
  func packsThatHoldEachOtherAreRefused() throws {
    let pack = { (id: String, other: String) in
      "<audioPackFormat audioPackFormatID=\"\(id)\" typeLabel=\"0003\"><audioPackFormatIDRef>\(other)"
        + "</audioPackFormatIDRef></audioPackFormat>"
    }
    let body = pack("AP_00032001", "AP_00032002") + pack("AP_00032002", "AP_00032001")
    let error = try #require(refusal(ADMText.object(1) + body, [1]))
    #expect(error.code == .cycle)
    #expect(error.message.contains("AP_00032001 → AP_00032002 → AP_00032001"))
  }

  @Test("tracks without channels and channels without tracks are refused, silent tracks taken")
  func channelsWithoutTrackAndTracksWithoutChannelAreRefused() throws {
    let extra = "<audioTrackUIDRef>ATU_00000002</audioTrackUIDRef>"
    #expect(refusal(ADMText.object(1, extra) + ADMText.object(2), [1, 2])?.code == .tracks)
    let silent = "<audioTrackUIDRef>ATU_00000000</audioTrackUIDRef>"
    #expect(refusal(ADMText.object(1, silent), [1])?.code == .tracks)
    let pack = "<audioPackFormatIDRef>AP_00030002</audioPackFormatIDRef>"
    #expect(refusal(ADMText.object(1, pack) + ADMText.object(2), [1, 2])?.code == .tracks)
    let found = try select(ADMText.object(1, pack + silent) + ADMText.object(2), [1, 2])
    #expect(
      found.items.map { $0.channels.map(\.samples) } == [[.track(0)], [.silence], [.track(1)]])
  }

  @Test("a rounded gap is closed, an overlap cut and a gap of 0.1 s kept, with two findings")
  func roundedEndsAreClosedAndGapsStay() throws {
    let blocks =
      ADMText.block("rtime=\"00:00:00.00000\" duration=\"00:00:00.09999\"")
      + ADMText.block("rtime=\"00:00:00.10000\" duration=\"00:00:00.10000\"")
      + ADMText.block("rtime=\"00:00:00.30000\" duration=\"00:00:00.50000\"")
      + ADMText.block("rtime=\"00:00:00.40000\" duration=\"00:00:00.10000\"")
    let findings = FindingLog()
    let item = try #require(
      try select(ADMText.object(1, blocks: blocks), [1], findings: findings).items.first)
    #expect(item.channels.first?.format.blocks.map(\.duration.seconds) == [0.1, 0.1, 0.1, 0.1])
    #expect(findings.findings.map(\.code) == [.blockTimes, .blockTimes])
  }

  /// Five milliseconds, the shortest block that a file can mean, are a gap; less is rounding.
  @Test("a gap of 5 ms stays, and one of 4.99 ms is closed")
  func aGapOfFiveMillisecondsStays() throws {
    for (duration, wanted) in [("0.09500", 0.095), ("0.09501", 0.1), ("0.09499", 0.09499)] {
      let blocks =
        ADMText.block("rtime=\"00:00:00.00000\" duration=\"00:00:0\(duration)\"")
        + ADMText.block("rtime=\"00:00:00.10000\" duration=\"00:00:00.10000\"")
      let item = try #require(try select(ADMText.object(1, blocks: blocks), [1]).items.first)
      let read = try #require(item.channels.first?.format.blocks)
      #expect(read.map(\.duration.seconds) == [wanted, 0.1], "\(duration)")
    }
  }

  @Test("blocks out of order are sorted, cut and dropped at the object's end, and that is reported")
  func blocksAreSortedCutAndDropped() throws {
    let blocks =
      ADMText.block("rtime=\"00:00:00.10000\" duration=\"00:00:00.20000\"")
      + ADMText.block("rtime=\"00:00:00.00000\" duration=\"00:00:00.10000\"")
      + ADMText.block("rtime=\"00:00:00.30000\" duration=\"00:00:00.10000\"")
    let findings = FindingLog()
    let body = ADMText.object(1, attributes: "duration=\"00:00:00.25000\"", blocks: blocks)
    let item = try #require(try select(body, [1], findings: findings).items.first)
    #expect(item.channels.first?.format.blocks.map(\.duration.seconds) == [0.1, 0.15])
    #expect(
      findings.findings.map(\.code) == [.blockOrder, .blocksBeyondObject, .blocksBeyondObject])
  }

  @Test("an interpolation of 0.5 s in a block of 0.1 s is shortened, and that is reported")
  func longInterpolationsAreShortened() throws {
    let blocks = ADMText.block(
      "rtime=\"00:00:00.00000\" duration=\"00:00:00.10000\"",
      "<jumpPosition interpolationLength=\"0.5\">1</jumpPosition>")
    let findings = FindingLog()
    let item = try #require(
      try select(ADMText.object(1, blocks: blocks), [1], findings: findings).items.first)
    let format = try #require(item.channels.first?.format)
    #expect(format.details(of: format.blocks[0]).object.interpolation == ADMTime(1, over: 10))
    #expect(findings.findings.map(\.code) == [.interpolation])
  }

  @Test("two blocks without times are refused")
  func blocksWithoutTimesMustBeAlone() {
    let blocks = ADMText.block() + ADMText.block()
    #expect(refusal(ADMText.object(1, blocks: blocks), [1])?.code == .value)
  }

  /// Many objects that share a channel with many blocks may not multiply.
  @Test("2000 blocks shared by 3000 objects are refused as too many")
  func sharedBlocksAreCountedForEachObject() throws {
    let blocks = String(repeating: ADMText.block("rtime=\"00:00:00.0\""), count: 2000)
    let more = (2...3000).map { number in
      "<audioObject audioObjectID=\"AO_\(number + 70000)\"><audioPackFormatIDRef>AP_00030001"
        + "</audioPackFormatIDRef><audioTrackUIDRef>ATU_00000001</audioTrackUIDRef></audioObject>"
    }
    let body = ADMText.object(1, blocks: blocks) + more.joined()
    #expect(refusal(body, [1])?.code == .limit)
  }

  /// The distance of the loudspeakers that a sound field was made for isn't followed, which is told; 0 states none.
  @Test(
    "a near-field distance above 0 is reported as ignored",
    arguments: [("0", 0), ("0.5", 1), ("3", 1)])
  func nearFieldDistancesAreTold(
    distance: String, count: Int
  ) throws {
    let body =
      "<audioObject audioObjectID=\"AO_0001\"><audioPackFormatIDRef>AP_00040001</audioPackFormatIDRef>"
      + "<audioTrackUIDRef>ATU_00000001</audioTrackUIDRef></audioObject>"
      + "<audioPackFormat audioPackFormatID=\"AP_00040001\" typeLabel=\"0004\">"
      + "<audioChannelFormatIDRef>AC_00040001</audioChannelFormatIDRef></audioPackFormat>"
      + "<audioChannelFormat audioChannelFormatID=\"AC_00040001\" typeLabel=\"0004\"><audioBlockFormat>"
      + "<order>0</order><degree>0</degree><nfcRefDist>\(distance)</nfcRefDist></audioBlockFormat>"
      + "</audioChannelFormat>"
    let row = ChannelTable.Row(
      track: 0, uid: ElementID(known: "ATU_00000001"), format: ElementID(known: "AC_00040001"),
      pack: ElementID(known: "AP_00040001"))
    let findings = FindingLog()
    _ = try Selection(
      try ADMText.parse(body), ChannelTable(rows: [row]), channels: 1, request: SelectionRequest(),
      findings: findings)
    #expect(findings.findings.count { $0.code == .ignored } == count)
  }

  /// Properties of a screen that aren't followed are reported.
  @Test("a screen of another width and a screen edge lock are reported as ignored")
  func screensThatArentFollowedAreTold() throws {
    let programme = { (width: String) in
      "<audioProgramme audioProgrammeID=\"APR_1001\" audioProgrammeName=\"p\"><audioContentIDRef>"
        + "ACO_1001</audioContentIDRef><audioProgrammeReferenceScreen><aspectRatio>1.78</aspectRatio>"
        + "<screenCentrePosition azimuth=\"0.0\" elevation=\"0.0\" distance=\"1.0\"/>"
        + "<screenWidth azimuth=\"\(width)\"/></audioProgrammeReferenceScreen></audioProgramme>"
        + "<audioContent audioContentID=\"ACO_1001\" audioContentName=\"c\"><audioObjectIDRef>AO_0001"
        + "</audioObjectIDRef></audioContent>"
    }
    let object = ADMText.object(1, blocks: ADMText.block("", "<screenRef>1</screenRef>"))
    for (width, count) in [("58.0", 0), ("40.0", 1)] {
      let findings = FindingLog()
      _ = try select(programme(width) + object, [1], findings: findings)
      #expect(findings.findings.count { $0.code == .ignored } == count, "\(width)")
    }
    let snapped =
      "<audioBlockFormat><cartesian>1</cartesian><position coordinate=\"X\" screenEdgeLock=\"left\">0"
      + "</position><position coordinate=\"Y\">1</position></audioBlockFormat>"
    let findings = FindingLog()
    _ = try select(ADMText.object(1, blocks: snapped), [1], findings: findings)
    #expect(findings.findings.map(\.code) == [.ignored])
  }
}
