import AudioCore
import Testing

@testable import Report

/// The picture of objects' ways: every mark lies where its object is.
@Suite struct ScenePathsFigureTests {
  /// Middles of the views from above and from the left, and pixels to a distance of 1.
  private static let above = (x: 145.0, y: 167.0)
  private static let left = (x: 455.0, y: 167.0)
  private static let unit = 110.0

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
    page.all("circle").compactMap { dot in
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
    let unit = ScenePathsFigureTests.unit
    let expected = [
      (
        ScenePathsFigureTests.above.x + unit * place[0],
        ScenePathsFigureTests.above.y - unit * place[1]
      ),
      (
        ScenePathsFigureTests.left.x - unit * place[1],
        ScenePathsFigureTests.left.y - unit * place[2]
      ),
    ]
    for (dot, wanted) in zip(dots, expected) {
      #expect(abs(dot.0 - wanted.0) < 0.11 && abs(dot.1 - wanted.1) < 0.11, "\(dots)")
    }
  }

  /// A way goes over all points in which the object is heard.
  @Test("an object's way leads through the points at which it is heard")
  func waysLeadThroughTheirPoints() throws {
    let moving = object(
      [[0.5, 0, 0], [0, 1, 0], [0, -1, 0], [-1, 0, 0]], "cartesian", gains: [0, 1, 0, 0.5])
    let page = try read([moving])
    let ways = page.all("path").filter { $0.attributes["class"] == "after" }
    #expect(ways.compactMap { $0.attributes["d"] } == ["M145 57L35 167", "M345 167L455 167"])
  }

  @Test(
    "silent objects aren't drawn, and 50 objects have dots in both views and numbers from 1 to 40")
  func silentObjectsAndNumbersBeyondFortyAreNotDrawn() throws {
    let silent = object([[0, 0, 1]], gains: [0])
    #expect(try read([silent]).all("circle").isEmpty)
    // Places in a grid, so that no number covers another in the view from above.
    let many = try read(
      (0..<50).map { object([[Double($0 % 7) / 3 - 1, 1 - Double($0 / 7) / 4, 0]], "cartesian") })
    #expect(many.all("circle").count == 100)
    #expect(labels(many).prefix(40).elementsEqual((1...40).map(String.init)))
  }

  /// A bed comes back as channels for loudspeakers; numbers stay those of the table.
  @Test("channels for loudspeakers have no dots, and the object after two of them has number 3")
  func channelsForLoudspeakersAreNoObjects() throws {
    var channel = object([[30, 0, 1]])
    channel.type = "speaker"
    var moved = object([[-30, 0, 1], [-110, 0, 1]])
    moved.type = "speaker"
    let page = try read([channel, moved, object([[0.5, 1, 0], [0, 0, 0]], "cartesian")])
    #expect(page.all("circle").count == 2)
    #expect(labels(page) == ["3", "3"])
    #expect(page.all("desc").map(\.text) == ["1 object, of which 1 change."])
  }

  /// Of numbers that would cover each other, the first is drawn; ways never cover numbers.
  @Test("of numbers that would cover each other the first is drawn, and all stand above the ways")
  func numbersCanBeRead() throws {
    let page = try read([
      object([[0, 0, 1], [90, 0, 1]]), object([[1, 0, 1]]), object([[-90, 0, 1], [0, 0, 1]]),
    ])
    #expect(labels(page) == ["1", "3", "1", "3"])
    let marks = page.elements.map { $0.attributes["class"] ?? "" }
    let last = try #require(marks.firstIndex(of: "label"))
    #expect(marks[..<last].count { $0 == "after" } == 3)
    let names = page.all("text").filter { $0.attributes["class"] == nil }
    for name in names {
      #expect(
        (name.attributes["y"].flatMap(Double.init) ?? 99) < 40, "clear of numbers on the frame")
    }
  }

  private func labels(_ page: MarkupReader) -> [String] {
    page.all("text").filter { $0.attributes["class"] == "label" }.map(\.text)
  }

  @Test("points that aren't finite draw no dot outside the picture")
  func damagedPointsDrawNothingOutsideThePicture() throws {
    let broken = object([[.nan, .infinity, 1], [0, 0, -.infinity], [1, 2]])
    for (x, y) in dots(try read([broken])) {
      #expect((0...600).contains(x) && (0...312).contains(y))
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
    for name in ["--after", "--grid", "--line", "--text", "--sheet"] {
      #expect(schemes.allSatisfy { $0.contains("\(name):") }, "\(name)")
    }
    let used = Set(page.values("class").flatMap { $0.split(separator: " ").map(String.init) })
    for name in used.subtracting(["note"]) { #expect(style.contains(".\(name)"), "\(name)") }
  }
}
