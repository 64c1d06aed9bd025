// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

/// The choices and changes that a listener may make, and their effect on the items.
@Suite struct InteractionTests {
  private static let full =
    "<audioObjectInteraction onOffInteract=\"1\" gainInteract=\"1\" positionInteract=\"1\">"
    + "<gainInteractionRange bound=\"min\" gainUnit=\"dB\">-6</gainInteractionRange>"
    + "<gainInteractionRange bound=\"max\">2</gainInteractionRange>"
    + "<positionInteractionRange coordinate=\"azimuth\" bound=\"min\">-30</positionInteractionRange>"
    + "<positionInteractionRange coordinate=\"azimuth\" bound=\"max\">45</positionInteractionRange>"
    + "</audioObjectInteraction>"

  /// A programme of three contents, one object each: speech 1 may be changed, music 2 may not, effects 3 may
  /// be switched off.
  private static let programme =
    "<audioProgramme audioProgrammeID=\"APR_1\">"
    + (1...3).map { "<audioContentIDRef>ACO_\($0)</audioContentIDRef>" }.joined()
    + "</audioProgramme>" + content(1, "dialogueContentKind=\"5\">1")
    + content(2, "nonDialogueContentKind=\"1\">0") + content(3, "nonDialogueContentKind=\"2\">0")
    + ADMText.object(1, attributes: "audioObjectName=\"Voice\"", "<gain>0.5</gain>" + full)
    + ADMText.object(2, attributes: "audioObjectName=\"Band\"")
    + ADMText.object(
      3, attributes: "audioObjectName=\"Rain\" importance=\"3\"",
      "<mute>1</mute><audioObjectInteraction onOffInteract=\"1\"/>")

  private static func content(_ number: Int, _ dialogue: String) -> String {
    "<audioContent audioContentID=\"ACO_\(number)\"><audioObjectIDRef>AO_000\(number)</audioObjectIDRef>"
      + "<dialogue \(dialogue)</dialogue></audioContent>"
  }

  private func select(
    _ body: String = InteractionTests.programme, tracks: [Int] = [1, 2, 3],
    findings: FindingLog = FindingLog(), _ change: (inout SelectionRequest) -> Void
  ) throws -> [RenderingItem] {
    var request = SelectionRequest()
    change(&request)
    return try Selection(
      try ADMText.parse(body, version: " version=\"ITU-R_BS.2076-2\""), ADMText.table(tracks),
      channels: tracks.count, request: request, findings: findings
    ).items
  }

  private func gains(_ changes: [ObjectChange]) throws -> [Double] {
    try select { $0.changes = changes }.map(\.gain)
  }

  @Test("kinds of content and ranges of gain and azimuth are read from a programme's statements")
  func statementsAreRead() throws {
    let items = try select { _ in }
    #expect(items.map(\.listener.kinds) == [["dialogue", "commentary"], ["music"], ["effects"]])
    let voice = try #require(items.first?.listener.interaction)
    #expect(
      voice.words == ["on/off", "gain -6 to +6.02 dB", "azimuth -30 to +45°"])
    #expect(items[1].listener.interaction == nil)
    #expect(items[2].listener.interaction?.words == ["on/off"])
  }

  @Test(
    "interact=0 hides an object's statement, and a gain range with its ends exchanged is refused")
  func anObjectThatMustNotBeChangedStatesNothing() throws {
    for attribute in ["interact=\"0\"", "interact=\"1\""] {
      let body = ADMText.object(1, attributes: attribute, InteractionTests.full)
      let item = try #require(try select(body, tracks: [1]) { _ in }.first)
      #expect((item.listener.interaction == nil) == attribute.contains("0"))
    }
    let empty = InteractionTests.full.replacing(">2<", with: ">0.1<")
    #expect(throws: ADMError.self) { try ADMText.parse(ADMText.object(1, empty)) }
  }

  @Test(
    "an object is made 6 dB quieter by its identifier in any case, name or kind of content",
    arguments: ["AO_0001", "ao_0001", "Voice", "dialogue", "commentary"])
  func oneObjectHasSeveralNames(name: String) throws {
    let gains = try gains([ObjectChange(name, gain: -6)])
    #expect(abs(gains[0] - 0.5 * 0.501187) < 1e-6)
    #expect(Array(gains.dropFirst()) == [1, 0])
  }

  @Test("an object is switched off, a muted one on, and one moved by 30°")
  func objectsAreSwitchedAndMoved() throws {
    #expect(try gains([ObjectChange("AO_0001", isOn: false)]) == [0, 1, 0])
    #expect(try gains([ObjectChange("effects", isOn: true)]) == [0.5, 1, 1])
    let moved = try select { $0.changes = [ObjectChange("Voice", offset: [-30, 0])] }
    #expect(moved[0].offset?.offset == Position(-30, 0, 0))
    #expect(moved[0].offset?.isCartesian == false && moved[1].offset == nil)
  }

  @Test("a listener's offset of 5° adds to the object's own 10°")
  func offsetsAddUp() throws {
    let own = "<positionOffset coordinate=\"azimuth\">10</positionOffset>"
    let body = ADMText.object(1, own + InteractionTests.full)
    let items = try select(body, tracks: [1]) {
      $0.changes = [ObjectChange("AO_0001", offset: [5, 0])]
    }
    #expect(items[0].offset?.offset == Position(15, 0, 0))
  }

  /// Changes that the file doesn't allow are refused in a sentence with the object and what is allowed.
  @Test(
    "changes beyond an object's statement are refused with its name and what it allows",
    arguments: [
      (
        ObjectChange("Voice", gain: 6.1),
        "\"Voice\" (AO_0001) be changed by gain -6 to +6.02 dB, not by +6.1 dB"
      ),
      (ObjectChange("Voice", gain: -6.1), "not by -6.1 dB"),
      (ObjectChange("Voice", gain: .nan), "\"Voice\""),
      (ObjectChange("Voice", offset: [46, 0]), "by azimuth -30 to +45°, not by +46"),
      (ObjectChange("Voice", offset: [0, 1]), "be moved in elevation; it allows on/off, gain"),
      (ObjectChange("Voice", offset: [0, 0, 1]), "azimuth, elevation; give 2 numbers"),
      (
        ObjectChange("music", gain: 6),
        "\"Band\" (AO_0002) be made louder or quieter: it states no interaction"
      ),
      (
        ObjectChange("AO_0002", isOn: false),
        "\"Band\" (AO_0002) be switched on or off: it states no"
      ),
      (
        ObjectChange("Rain", gain: 1),
        "\"Rain\" (AO_0003) be made louder or quieter; it allows on/off"
      ),
      (ObjectChange("Rain", offset: [0, 0]), "\"Rain\" (AO_0003) be moved; it allows on/off"),
    ])
  func otherChangesAreRefused(change: ObjectChange, sentence: String) throws {
    let error = #expect(throws: ADMError.self) { try gains([change]) }
    #expect(error?.code == (sentence.contains("states no") ? .interaction : .request))
    #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
  }

  @Test("an unknown object is refused with a list of those in the file")
  func whatNobodyHasIsRefusedWithWhatThereIs() throws {
    for name in ["AO_9", "voice", "mixed", ""] {
      let error = #expect(throws: ADMError.self) { try gains([ObjectChange(name, gain: 1)]) }
      #expect(error?.code == .request)
      #expect(error?.message.contains("\"Voice\" (AO_0001), \"Band\" (AO_0002)") == true)
      #expect(throws: ADMError.self) { try select { $0.only = [name] } }
    }
    let error = #expect(throws: ADMError.self) {
      try gains([ObjectChange("Voice", gain: 1), ObjectChange("dialogue", gain: 2)])
    }
    #expect(error?.code == .request && error?.message.contains("twice") == true)
  }

  @Test("one chosen object is played alone, and the others are reported as left out")
  func chosenObjectsAloneArePlayed() throws {
    let findings = FindingLog()
    let items = try select(findings: findings) { $0.only = ["AO_0002"] }
    #expect(items.map(\.object?.text) == ["AO_0002"])
    #expect(findings.findings.map(\.code) == [.leftOut])
    #expect(
      findings.findings.first?.message
        == "\"Voice\" (AO_0001) and \"Rain\" (AO_0003) aren't among the objects that were chosen")
  }

  @Test("objects below the importance asked for are reported") func whatIsLessImportantIsTold()
    throws
  {
    let findings = FindingLog()
    let items = try select(findings: findings) { $0.importance = 4 }
    #expect(items.count == 2)
    #expect(findings.findings.map(\.message) == ["\"Rain\" (AO_0003) is less important than 4"])
  }

  @Test("changed objects are reported") func changesAreTold() throws {
    let findings = FindingLog()
    _ = try select(findings: findings) {
      $0.changes = [ObjectChange("dialogue", gain: 3), ObjectChange("effects", isOn: true)]
    }
    #expect(findings.findings.map(\.code) == [.changed, .changed])
    #expect(
      findings.findings.map(\.message) == [
        "\"Voice\" (AO_0001) +3 dB: asked for, and the file allows on/off, gain -6 to +6.02 dB, "
          + "azimuth -30 to +45°",
        "\"Rain\" (AO_0003) on: asked for, and the file allows on/off",
      ])
  }

  /// A group is chosen with all inside it, and its statement holds for them, but not the other way round.
  @Test("a group's change and choice hold for all in it, and a member alone can't be changed")
  func groupsAreChangedAsAWhole() throws {
    let group =
      "<audioObject audioObjectID=\"AO_9\" audioObjectName=\"Choir\"><audioObjectIDRef>AO_0001"
      + "</audioObjectIDRef><audioObjectIDRef>AO_0002</audioObjectIDRef>\(InteractionTests.full)"
      + "</audioObject>"
    let body = group + ADMText.object(1) + ADMText.object(2) + ADMText.object(3)
    let louder = try select(body) { $0.changes = [ObjectChange("Choir", gain: 6)] }
    #expect(louder.map { $0.gain > 1.9 } == [true, true, false])
    #expect(try select(body) { $0.only = ["AO_9"] }.count == 2)
    let error = #expect(throws: ADMError.self) {
      try select(body) { $0.changes = [ObjectChange("AO_0001", gain: 6)] }
    }
    #expect(error?.code == .interaction)
  }

  /// The statement of a set of values that is in force replaces the object's own.
  @Test("a value set in force replaces the object's statement with its own")
  func setsOfValuesHaveTheirOwnStatement() throws {
    let set =
      "<alternativeValueSet alternativeValueSetID=\"AVS_1\"><audioObjectInteraction onOffInteract=\"0\"/>"
      + "</alternativeValueSet>"
    let body =
      "<audioProgramme audioProgrammeID=\"APR_1\"><audioContentIDRef>ACO_1</audioContentIDRef>"
      + "<alternativeValueSetIDRef>AVS_1</alternativeValueSetIDRef></audioProgramme>"
      + InteractionTests.content(1, ">1") + ADMText.object(1, InteractionTests.full + set)
    #expect(try select(body, tracks: [1]) { _ in }.first?.listener.interaction?.words == [])
  }

  @Test("a choice of objects in a file without objects is refused")
  func filesWithoutObjectsHaveNothingToChoose() throws {
    var request = SelectionRequest()
    request.only = ["AO_0001"]
    let table = ChannelTable(rows: [
      ChannelTable.Row(
        track: 0, uid: ElementID(known: "ATU_00000001"), format: ElementID(known: "AC_00010001"),
        pack: ElementID(known: "AP_00010001"))
    ])
    let error = #expect(throws: ADMError.self) {
      try Selection(nil, table, channels: 1, request: request, findings: FindingLog())
    }
    #expect(error?.code == .request)
  }
}
