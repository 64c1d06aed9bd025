// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ADM

@Suite struct DocumentParserTests {
  @Test("XML without audioFormatExtended gives no document")
  func otherXMLIsNoDocument() throws {
    let bytes = Array("<bext><audioObject/></bext>".utf8)
    #expect(try DocumentParser.parse(bytes, findings: FindingLog()) == nil)
  }

  @Test("elements outside audioFormatExtended are ignored, and the version is 1")
  func elementsOutsideAreIgnored() throws {
    let text = "<x><audioObject/><n:audioFormatExtended/><audioObject/></x>"
    let found = try #require(try DocumentParser.parse(Array(text.utf8), findings: FindingLog()))
    #expect(found.objects.isEmpty)
    #expect(found.version == 1)
  }

  @Test("a block takes at most 104 bytes")
  func blocksAreSmall() {
    #expect(MemoryLayout<AudioBlock>.stride <= 104)
  }

  @Test(
    "a block with every element of an object keeps all values, and an unknown element is reported")
  func aBlockHasAllThatItStates() throws {
    let findings = FindingLog()
    let document = try #require(
      try ADMText.parse(
        ADMText.channel(
          0x1001,
          """
          <audioBlockFormat rtime="00:00:01.00000" duration="00:00:00.50000">
          <cartesian>1</cartesian><position coordinate="X" screenEdgeLock="left">-0.5</position>
          <position coordinate="Y">1</position><width>0.1</width><height>0.2</height><depth>0.3</depth>
          <gain gainUnit="dB">-20</gain><diffuse>0.25</diffuse><importance>3</importance>
          <channelLock maxDistance="0.5">1</channelLock><screenRef>1</screenRef><headLocked>1</headLocked>
          <objectDivergence positionRange="0.4">0.5</objectDivergence>
          <jumpPosition interpolationLength="0.005208">1</jumpPosition>
          <zoneExclusion><zone minX="-1" maxX="1" minY="0" maxY="1" minZ="-1" maxZ="0"/></zoneExclusion>
          <headphoneVirtualise bypass="1" DRR="12"/><novelty>1</novelty></audioBlockFormat>
          """), version: " version=\"ITU-R_BS.2076-2\"", findings: findings))
    let channel = try #require(document.channels.first)
    let block = try #require(channel.blocks.first)
    #expect(block.start == ADMTime(1, over: 1))
    #expect(block.duration == ADMTime(1, over: 2))
    #expect(block.position == Position(-0.5, 1, 0))
    #expect(block.size == Position(0.1, 0.2, 0.3))
    #expect(abs(block.gain - 0.1) < 1e-15)
    #expect(block.diffuse == 0.25)
    #expect(block.importance == 3)
    #expect(
      block.flags == [
        .hasStart, .hasDuration, .isCartesian, .jumps, .isLocked, .isHeadLocked, .refersToScreen,
      ])
    let details = channel.details(of: block)
    #expect(details.object.lockDistance == 0.5)
    #expect(details.object.divergence == 0.5)
    #expect(details.object.positionRange == 0.4)
    #expect(details.object.interpolation == ADMTime(651, over: 125000))
    #expect(
      details.object.zones == [.box(least: Position(-1, 0, -1), greatest: Position(1, 1, 0))])
    #expect(details.screenEdge == ScreenEdge(horizontal: .left))
    #expect(details.bypassesHeadphones && details.directToReverberant == 12)
    #expect(findings.findings.map(\.code) == [.unknownElement])
  }

  /// A loudspeaker may have several names; which of them a layout knows is found out later.
  @Test("a block keeps all three of its speaker labels")
  func aBlockKeepsAllOfItsLabels() throws {
    let document = try #require(
      try ADMText.parse(
        """
        <audioChannelFormat audioChannelFormatID="AC_00011001" typeLabel="0001"><audioBlockFormat>
        <speakerLabel>M+030</speakerLabel><speakerLabel>urn:itu:bs:2051:0:speaker:M+030</speakerLabel>
        <speakerLabel>L</speakerLabel></audioBlockFormat></audioChannelFormat>
        """))
    let channel = try #require(document.channels.first)
    let details = channel.details(of: try #require(channel.blocks.first))
    #expect(details.speaker.labels == ["M+030", "urn:itu:bs:2051:0:speaker:M+030", "L"])
  }

  @Test("two blocks with equal details share one entry, and a plain one has none")
  func equalDetailsAreSharedAndPlainBlocksHaveNone() throws {
    let jump = "<jumpPosition interpolationLength=\"0.1\">1</jumpPosition>"
    let document = try #require(
      try ADMText.parse(
        ADMText.channel(1, ADMText.block() + ADMText.block("", jump) + ADMText.block("", jump)))
    )
    let channel = try #require(document.channels.first)
    #expect(channel.blocks.map(\.details) == [-1, 0, 0])
    #expect(channel.details.count == 1)
  }

  @Test("azimuths of 540° and −190° are wrapped to ±180° and 170°, and that is reported")
  func azimuthsBeyondTheCircleAreWrapped() throws {
    let findings = FindingLog()
    let document = try ADMText.parse(
      ADMText.channel(
        1, ["540", "-190", "180", "-180"].map { ADMText.block(azimuth: $0) }.joined()),
      findings: findings)
    #expect(
      document?.channels.first?.blocks.map { abs($0.position.first) } == [180, 170, 180, 180])
    #expect(document?.channels.first?.blocks[1].position.first == 170)
    #expect(findings.findings.map(\.count) == [2])
  }

  @Test("polar coordinates count more than cartesian=1, and the contradiction is reported")
  func coordinatesCountMoreThanTheElementCartesian() throws {
    let findings = FindingLog()
    let document = try ADMText.parse(
      ADMText.channel(1, ADMText.block("", "<cartesian>1</cartesian>")), findings: findings)
    #expect(document?.channels.first?.blocks.first?.flags == [])
    #expect(findings.findings.map(\.code) == [.contradiction])
  }

  @Test(
    "a block's wrong value is refused with its rule and line",
    arguments: [
      ("<gain>nan</gain>", "finite decimal"), ("<gain>0x10</gain>", "finite decimal"),
      ("<gain>1001</gain>", "finite decimal"),
      ("<gain gainUnit=\"dB\">61</gain>", "finite decimal"),
      ("<gain gainUnit=\"bel\">1</gain>", "only linear and dB"), ("<gain/>", "finite decimal"),
      ("<headLocked>true</headLocked>", "only 0 and 1"),
      ("<importance>11</importance>", "0.0 to 10.0"),
      ("<importance>1.5</importance>", "whole number"), ("<diffuse>1.1</diffuse>", "0.0 to 1.0"),
      ("<position coordinate=\"elevation\">91</position>", "-90.0 to 90.0"),
      ("<position coordinate=\"distance\">-1</position>", "0.0 to"),
      ("<position coordinate=\"X\">0</position>", "two kinds"),
      ("<position coordinate=\"up\">0</position>", "coordinate \"up\""),
      ("<position coordinate=\"azimuth\" bound=\"min\">0</position>", "bound \"min\""),
      ("<position coordinate=\"azimuth\" screenEdgeLock=\"top\">0</position>", "screenEdgeLock"),
      ("<zoneExclusion><zone minX=\"1\"/></zoneExclusion>", "a zone needs"),
      ("<jumpPosition interpolationLength=\"-1\">1</jumpPosition>", "seconds"),
    ])
  func badValuesAreRefusedByName(content: String, words: String) throws {
    let error = #expect(throws: ADMError.self) {
      try ADMText.parse("\n" + ADMText.channel(1, ADMText.block("", content)))
    }
    #expect(error?.code == .value)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.place?.line == 2)
  }

  @Test(
    "elements with missing, negative or contradicting attributes are refused",
    arguments: [
      "<audioObject/>", "<audioObject audioObjectID=\"\"/>",
      "<audioObject audioObjectID=\"AO_1\" start=\"-00:00:01.0\"/>",
      "<audioObject audioObjectID=\"AO_1\"><audioPackFormatIDRef/></audioObject>",
      "<audioPackFormat audioPackFormatID=\"AP_9999\"/>",
      "<audioPackFormat audioPackFormatID=\"AP_00031001\" typeLabel=\"0001\" typeDefinition=\"Objects\"/>",
      "<audioTrackUID UID=\"ATU_00000000\"/>",
      "<audioChannelFormat audioChannelFormatID=\"AC_00031001\"><audioBlockFormat/></audioChannelFormat>",
    ])
  func badElementsAreRefused(body: String) {
    let error = #expect(throws: ADMError.self) { try ADMText.parse(body) }
    #expect(error?.code == .value)
  }

  @Test("an identifier that differs in case only is refused as a duplicate")
  func identifiersMayNotRepeatWhateverTheirCase() {
    let body =
      "<audioContent audioContentID=\"ACO_100a\"/><audioContent audioContentID=\"ACO_100A\"/>"
    let error = #expect(throws: ADMError.self) { try ADMText.parse(body) }
    #expect(error?.code == .duplicate)
    #expect(error?.message.contains("ACO_100A") == true)
  }

  @Test("newer times and gain units are reported thrice in an old document and once in BS.2076-2")
  func newerSyntaxInOldDocumentsIsReported() throws {
    let body = ADMText.channel(
      1,
      ADMText.block(
        "rtime=\"00:00:00.0S48000\" duration=\"00:00:05\"", "<gain gainUnit=\"dB\">0</gain>"))
    for (version, count) in [("", 3), (" version=\"ITU-R_BS.2076-2\"", 1)] {
      let findings = FindingLog()
      _ = try ADMText.parse(body, version: version, findings: findings)
      #expect(
        findings.findings.map(\.code) == [ADMFinding.Code](repeating: .lenientValue, count: count))
    }
  }

  @Test("common definitions have 43 packs and 300 channels, and M+030 stands at 30°")
  func commonDefinitionsHaveTheirPlaces() throws {
    #expect(CommonDefinitions.packs.count == 43)
    #expect(CommonDefinitions.channels.count == 300)
    let left = try #require(CommonDefinitions.channels[ElementID(known: "AC_00010001")])
    let block = try #require(left.blocks.first)
    #expect(block.position == Position(30, 0, 1))
    #expect(left.details(of: block).speaker.labels == ["urn:itu:bs:2051:0:speaker:M+030"])
    #expect(CommonDefinitions.channel(ofFormat: ElementID(known: "AT_00010001_01")) == left.id)
    #expect(CommonDefinitions.channel(ofFormat: ElementID(known: "AT_00010001_02")) == nil)
  }
}
