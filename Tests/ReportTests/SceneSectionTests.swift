// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Report

/// The table of an input's objects.
@Suite struct SceneSectionTests {
  private func object(
    _ name: String?, _ change: (inout ObjectReport) -> Void = { _ in }
  ) -> ObjectReport {
    var object = ObjectReport(
      name: name, type: "object", tracks: [11, 12], start: 0.5, end: 75, changes: 1200,
      coordinates: "polar", least: [-30, 0, 1], greatest: [30, 0, 1])
    change(&object)
    return object
  }

  private func read(_ objects: [ObjectReport]) throws -> MarkupReader {
    let context = SectionContext(id: "r1", level: 2, links: .none, isSmall: false)
    let section = SceneSection(objects: objects, context: context)
    return try MarkupReader(Markup("div", [:], section.parts).source)
  }

  /// The cells of each row, by the names of the columns.
  private func rows(_ objects: [ObjectReport]) throws -> [[String: String]] {
    let page = try read(objects)
    let heads = page.all("th").filter { $0.attributes["scope"] == "col" }.map(\.text)
    var rows: [[String]] = []
    for element in page.elements where element.name == "td" || element.attributes["scope"] == "row"
    {
      if element.name == "th" { rows.append([]) }
      rows[rows.count - 1].append(element.text)
    }
    return rows.map { row in
      #expect(row.count == heads.count)
      return Dictionary(uniqueKeysWithValues: zip(heads, row))
    }
  }

  @Test("a row has an object's name, type, times, place, changes and tracks")
  func aRowHasTheFactsOfAnObject() throws {
    let row = try #require(try rows([object("Voice")]).first)
    #expect(
      row == [
        "No.": "1", "Name": "Voice", "Type": "object", "Begins": "500.0 ms", "Ends": "1:15",
        "Where": "azimuth −30.00 to 30.00; elevation 0.00; distance 1.00", "Changes": "1,200",
        "Tracks": "11, 12",
      ])
  }

  @Test("a missing figure of an object is a dash") func whatIsMissingIsADash() throws {
    let nameless = object(nil) {
      ($0.start, $0.end, $0.least, $0.greatest) = (nil, nil, nil, nil)
    }
    let row = try #require(try rows([nameless]).first)
    #expect([row["Name"], row["Ends"], row["Where"]] == ["–", "–", "–"])
    #expect(row["Begins"] == "silent")
    let known = try rows([object(nil) { $0.id = "AO_1001" }])
    #expect(known.first?["Name"] == "AO_1001")
  }

  @Test("the place of a Cartesian object is stated as X, Y and Z")
  func roomsHaveTheirOwnCoordinates() throws {
    let row = try #require(
      try rows([
        object("Voice") {
          $0.coordinates = "cartesian"
          $0.least = [-1, 0.25, 0]
          $0.greatest = [-1, 0.5, 0]
        }
      ]).first)
    #expect(row["Where"] == "X −1.00; Y 0.25 to 0.50; Z 0.00")
  }

  /// Channels of a bed have rows, but no picture of ways that they don't go.
  @Test("a channel for a loudspeaker has a row and no picture")
  func channelsForLoudspeakersHaveNoWays() throws {
    func mark(_ type: String) -> ObjectReport {
      object(type) {
        $0.type = type
        $0.path = [.init(seconds: 0, position: [30, 0, 1], gain: 1)]
      }
    }
    #expect(try read([mark("speaker")]).all("svg").isEmpty)
    let pictures = try read([mark("speaker"), mark("object")]).all("svg")
    #expect(pictures.count { $0.attributes["role"] == "img" } == 2)
    #expect(
      try rows([mark("speaker"), mark("object")]).map { $0["Type"] } == ["speaker", "object"])
  }

  /// Columns that no object needs are left out: a probe has no levels, most files allow no changes.
  @Test("levels, kinds and allowed changes of one object have columns, with dashes for others")
  func levelsAndFreedomHaveColumnsWhereThereAreSome() throws {
    let measured = object("Voice") {
      ($0.samplePeak, $0.integrated) = (-3.04, -23.46)
      $0.kinds = ["dialogue"]
      $0.interaction = ObjectInteraction(onOff: true, gain: .init(least: -6, greatest: 9))
    }
    let rows = try rows([measured, object("Band")])
    #expect(rows.map { $0["Peak, dBFS"] } == ["−3.0", "–"])
    #expect(rows.map { $0["Loudness, LUFS"] } == ["−23.5", "–"])
    #expect(rows.map { $0["May be changed"] } == ["on/off, gain -6 to +9 dB", "–"])
    #expect(rows.map { $0["Type"] } == ["object, dialogue", "object"])
  }

  @Test("names of objects stay text in the report page", arguments: SampleReports.hostile)
  func namesStayText(name: String) throws {
    let page = try read([object(name) { $0.interaction = ObjectInteraction(onOff: true) }])
    #expect(page.all("script").isEmpty && page.all("b").isEmpty)
    #expect(page.all("bdi").count == 1)
    #expect(page.elements.allSatisfy { $0.attributes["onload"] == nil })
  }
}
