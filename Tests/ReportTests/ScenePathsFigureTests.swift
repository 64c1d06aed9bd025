// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Report

/// The picture of objects' ways: every mark lies where its object is.
@Suite struct ScenePathsFigureTests {
  /// Middle of both views, and pixels to a distance of 1.
  private static let middle = (x: 190.0, y: 194.0)
  private static let unit = 118.0

  private func object(
    _ positions: [[Double]], _ coordinates: String = "polar", gains: [Double]? = nil
  ) -> ObjectReport {
    ObjectReport(
      name: nil, type: "object", tracks: [1], start: 0, end: nil, changes: positions.count,
      coordinates: coordinates,
      path: positions.enumerated().map { number, position in
        .init(seconds: Double(number), position: position, gain: gains?[number] ?? 1)
      })
  }

  private func read(_ objects: [ObjectReport]) throws -> MarkupReader {
    try MarkupReader(ScenePathsFigure(objects: objects, id: "f").markup.source)
  }

  private func dots(_ page: MarkupReader) -> [(Double, Double)] {
    page.all("circle").filter { $0.attributes["class"] == "dot" }.compactMap { dot in
      dot.attributes["cx"].flatMap(Double.init).flatMap { x in
        dot.attributes["cy"].flatMap(Double.init).map { (x, $0) }
      }
    }
  }

  /// Places of known positions: to the right, to the front and up, in units of the distance.
  @Test(
    "dots in both views lie at an object's first place within 0.11 pixels",
    arguments: [
      ([0, 0, 1], "polar", [0, 1, 0]), ([90, 0, 1], "polar", [-1, 0, 0]),
      ([-90, 0, 1], "polar", [1, 0, 0]), ([180, 0, 0.5], "polar", [0, -0.5, 0]),
      ([0, 90, 1], "polar", [0, 0, 1]), ([30, 0, 1], "polar", [-0.5, 0.866, 0]),
      ([-0.5, 1, 0.25], "cartesian", [-0.5, 1, 0.25]),
      // Beyond the frame a place is drawn a little outside of it.
      ([9, -9, 0], "cartesian", [1.25, -1.25, 0]),
    ])
  func dotsLieWhereObjectsBegin(position: [Double], coordinates: String, place: [Double]) throws {
    let dots = try dots(read([object([position], coordinates)]))
    try #require(dots.count == 2)
    let (unit, middle) = (ScenePathsFigureTests.unit, ScenePathsFigureTests.middle)
    let expected = [
      (middle.x + unit * place[0], middle.y - unit * place[1]),
      (middle.x - unit * place[1], middle.y - unit * place[2]),
    ]
    for (dot, wanted) in zip(dots, expected) {
      #expect(abs(dot.0 - wanted.0) < 0.11 && abs(dot.1 - wanted.1) < 0.11, "\(dots)")
    }
  }

  @Test("colours of the time have a legend where something moves, and nowhere else")
  func theLegendNeedsMovement() {
    func source(_ positions: [[Double]]) -> String {
      ScenePathsFigure(objects: [object(positions)], id: "f").markup.source
    }
    let (resting, moving) = (source([[0, 0, 1]]), source([[0, 0, 1], [90, 0, 1]]))
    #expect(resting.contains("All objects rest.") && !resting.contains("a ring where it ends"))
    #expect(moving.contains("0:00.8 to 0:01.0") && moving.contains("a ring where it ends"))
  }

  /// A way goes over all points in which the object is heard.
  @Test("an object's way leads through the points at which it is heard")
  func waysLeadThroughTheirPoints() throws {
    let moving = object(
      [[0.5, 0, 0], [0, 1, 0], [0, -1, 0], [-1, 0, 0]], "cartesian", gains: [0, 1, 0, 0.5])
    let page = try read([moving])
    let ways = page.all("path").filter { $0.attributes["class"]?.hasPrefix("way ") == true }
    #expect(ways.compactMap { $0.attributes["d"] } == ["M190 76L72 194", "M72 194L190 194"])
    // A ring is at the end of a way in each view.
    let rings = page.all("circle").filter { $0.attributes["class"] == "ring" }
    #expect(rings.map { $0.attributes["cx"] } == ["72", "190"])
  }

  /// Ten points in ten seconds: two steps belong to each colour, and the legend says so.
  @Test("a way has five colours, one for each fifth of the time, and the legend names their times")
  func coloursFollowTheTime() throws {
    let page = try read([object((0...10).map { [Double($0) / 10, 0, 0] }, "cartesian")])
    let ways = page.all("path").filter { $0.attributes["class"]?.hasPrefix("way ") == true }
    #expect(ways.prefix(5).map { $0.attributes["class"] } == (0..<5).map { "way t\($0)" })
    for (phase, way) in ways.prefix(5).enumerated() {
      let x = (0...2).map { 190 + 118 * Double(2 * phase + $0) / 10 }
      let wanted = "M\(SVGText.coordinate(x[0])) 194L\(SVGText.coordinate(x[1])) 194"
      #expect(way.attributes["d"] == wanted + "L\(SVGText.coordinate(x[2])) 194")
    }
    let times = ["0:00 to 0:02", "0:02 to 0:04", "0:04 to 0:06", "0:06 to 0:08", "0:08 to 0:10"]
    #expect(page.all("li").map(\.text) == times)
  }

  @Test("the ends of both views' axes have their names: none of them stands alone at the top")
  func axesHaveTheirNames() throws {
    let page = try read([object([[0, 0, 1]])])
    let names = page.all("text").filter { $0.attributes["class"] == nil }
    let words = ["front", "back", "left", "right", "From the left", "up", "down", "front", "back"]
    #expect(names.map(\.text) == ["From above"] + words)
    let front = try #require(names.first { $0.text == "front" })
    let left = try #require(names.first { $0.text == "left" })
    #expect(front.attributes["x"] == "190" && left.attributes["y"] == "198")
  }

  @Test("silent objects aren't drawn, and 49 objects in a grid have dots and numbers in both views")
  func silentObjectsAreNotDrawn() throws {
    let silent = object([[0, 0, 1]], gains: [0])
    #expect(try read([silent]).all("circle").isEmpty)
    // Places in a grid, so that no number covers another in the view from above.
    let many = try read(
      (0..<49).map { object([[Double($0 % 7) / 3 - 1, 1 - Double($0 / 7) / 3, 0]], "cartesian") })
    #expect(many.all("circle").count == 98)
    #expect(labels(many).prefix(49).elementsEqual((1...49).map(String.init)))
  }

  /// Objects that begin at one place share a dot; a label with all of their numbers stands beside it.
  @Test("twenty objects at seven places have seven labels with all twenty numbers")
  func objectsAtOnePlaceShareALabel() throws {
    let places = (0..<7).map { [Double($0 % 3) - 1, 1 - Double($0 / 3), 0] }
    let page = try read((0..<20).map { object([places[$0 % 7]], "cartesian") })
    let shown = labels(page).prefix(7).flatMap { $0.split(separator: ", ").compactMap { Int($0) } }
    #expect(labels(page).first == "1, 8, 15" && Set(shown) == Set(1...20))
  }

  @Test(
    "numbers in a row become a range, and those behind the fourth range are counted",
    arguments: [
      ([3], "3"), ([1, 2, 3], "1–3"), ([1, 3, 5, 6], "1, 3, 5–6"),
      ([1, 3, 5, 7, 9, 10, 12], "1, 3, 5, 7 +3"),
    ])
  func numbersBecomeRanges(numbers: [Int], text: String) {
    #expect(ScenePathsFigure.ranges(numbers) == text)
  }

  /// A bed comes back as channels for loudspeakers; numbers stay those of the table.
  @Test("channels for loudspeakers have no dots, and the object after two of them has number 3")
  func channelsForLoudspeakersAreNoObjects() throws {
    var channel = object([[30, 0, 1]])
    channel.type = "speaker"
    var moved = object([[-30, 0, 1], [-110, 0, 1]])
    moved.type = "speaker"
    let page = try read([channel, moved, object([[0.5, 1, 0], [0, 0, 0]], "cartesian")])
    #expect(dots(page).count == 2)
    #expect(labels(page) == ["3", "3"])
    #expect(Set(page.all("desc").map(\.text)) == ["1 object, of which 1 change."])
  }

  /// Labels never cover each other, the names of the axes or the end of the picture; ways never cover labels.
  @Test("labels of crowded objects stand apart and above the ways")
  func labelsCanBeRead() throws {
    let page = try read(
      (0..<60).map { object([[Double($0) * 1.7, 0, 1], [Double($0) * 3, 0, 1]]) })
    let boxes = page.all("text").compactMap { text -> (Double, Double, Double)? in
      guard let x = text.attributes["x"].flatMap(Double.init),
        let y = text.attributes["y"].flatMap(Double.init)
      else { return nil }
      let width = SVGText.width(text.text, size: 12)
      let anchor = text.attributes["text-anchor"]
      return (x - (anchor == "end" ? width : anchor == "middle" ? width / 2 : 0), y, width)
    }
    let first = Array(
      boxes.prefix(try #require(page.all("text").firstIndex { $0.text == "From the left" })))
    #expect(first.count > 10)
    for (index, one) in first.enumerated() {
      #expect(one.0 >= 0 && one.0 + one.2 <= 380)
      for other in first[(index + 1)...] {
        let isApart = one.0 + one.2 < other.0 || other.0 + other.2 < one.0
        #expect(isApart || abs(one.1 - other.1) >= 12, "\(one) \(other)")
      }
    }
    let marks = page.elements.map { $0.attributes["class"] ?? "" }
    let last = try #require(marks.firstIndex(of: "label"))
    #expect(marks[..<last].contains { $0.hasPrefix("way ") })
  }

  private func labels(_ page: MarkupReader) -> [String] {
    page.all("text").filter { $0.attributes["class"] == "label" }.map(\.text)
  }

  @Test("points that aren't finite draw no dot outside the picture")
  func damagedPointsDrawNothingOutsideThePicture() throws {
    let broken = object([[.nan, .infinity, 1], [0, 0, -.infinity], [1, 2]])
    for (x, y) in dots(try read([broken])) {
      #expect((0...380).contains(x) && (0...372).contains(y))
    }
  }

  /// Colours come from the page's two schemes, never from the picture itself.
  @Test(
    "the picture has no colours of its own, and both schemes of the page have those that it uses")
  func coloursBelongToThePage() throws {
    let page = try read([object([[0, 0, 1], [90, 0, 1]])])
    for element in page.elements {
      for key in ["fill", "stroke", "style"] { #expect(element.attributes[key] == nil) }
    }
    let style = PageStyle.sheet.source
    let schemes = style.split(separator: "prefers-color-scheme: dark")
    try #require(schemes.count == 2)
    for name in ["--t0", "--t1", "--t2", "--t3", "--t4", "--grid", "--line", "--text", "--sheet"] {
      #expect(schemes.allSatisfy { $0.contains("\(name):") }, "\(name)")
    }
    let used = Set(page.values("class").flatMap { $0.split(separator: " ").map(String.init) })
    for name in used.subtracting(["note"]) { #expect(style.contains(".\(name)"), "\(name)") }
  }
}
