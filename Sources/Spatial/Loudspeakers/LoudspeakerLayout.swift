// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A layout of ITU-R BS.2051-3 with the figures that ITU-R BS.2127 derives from it.
struct LoudspeakerLayout: Sendable {
  /// A loudspeaker that isn't there: a direction whose sound another one plays.
  struct Virtual: Sendable {
    /// The direction's point on the unit sphere.
    let place: SIMD3<Double>
    /// Number of the loudspeaker that plays for it, LFE not counted.
    let goesTo: Int
  }

  /// Its name, e.g. `4+7+0`.
  let name: String
  /// Its loudspeakers in the order of ITU-R BS.2051, LFE included.
  let speakers: [Loudspeaker]
  /// Order of preference of each loudspeaker that isn't an LFE, for ``ChannelLock``; lowest first.
  let ranks: [Int]
  /// For each loudspeaker that isn't an LFE: groups of others that may take its power, in order.
  let zoneGroups: [[[Int]]]
  /// Virtual loudspeakers, numbered behind those that aren't LFE.
  let virtuals: [Virtual]
  /// Regions of the point source panner in the order in which they are tried; none for 0+2+0.
  let regions: [PanningRegion]

  /// Numbers of the loudspeakers that aren't LFE.
  var mains: [Int] { speakers.indices.filter { !speakers[$0].isLFE } }
  /// The loudspeakers that aren't LFE.
  var mainSpeakers: [Loudspeaker] { speakers.filter { !$0.isLFE } }

  /// All layouts of the tables.
  static let all: [LoudspeakerLayout] = LayoutFigureReader.layouts(of: LayoutFigures.text)

  static func named(_ name: String) -> LoudspeakerLayout? { all.first { $0.name == name } }
}

/// A loudspeaker of a layout of ITU-R BS.2051.
struct Loudspeaker: Sendable {
  /// Its name, e.g. `M+030` or `LFE1`.
  let name: String
  /// Its nominal direction.
  let direction: Direction
  /// Whether it plays low-frequency effects only.
  let isLFE: Bool
  /// The nominal direction as a point of the unit sphere: X to the right, Y to the front, Z up.
  let place: SIMD3<Double>
  /// Its place in a room whose walls lie at ±1, for Cartesian positions (ITU-R BS.2127-1, 11).
  let corner: SIMD3<Double>
  /// Index of its decorrelation filter: its number among the layout's names in alphabetic order.
  let filter: Int
}

/// A part of the sphere that a few loudspeakers share (ITU-R BS.2127-1, 6.1). Numbers are those of the
/// layout's loudspeakers without LFE, virtual ones behind them.
enum PanningRegion: Sendable {
  /// Three loudspeakers.
  case triplet([Int])
  /// Four loudspeakers in the order of the ring.
  case quad([Int])
  /// The loudspeakers of a ring in order, and a point between them whose gain they share.
  case ring([Int], centre: SIMD3<Double>)
}

/// Reads the generated text of the layouts, a line at a time.
struct LayoutFigureReader {
  private var name = ""
  private var speakers: [Loudspeaker] = []
  private var ranks: [Int] = []
  private var zoneGroups: [[[Int]]] = []
  private var virtuals: [LoudspeakerLayout.Virtual] = []
  private var regions: [PanningRegion] = []

  /// The layouts of a text as make_tables.py writes it.
  static func layouts(of text: String) -> [LoudspeakerLayout] {
    var layouts: [LoudspeakerLayout] = []
    var reader = LayoutFigureReader()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "layout" {
        layouts += reader.layout
        reader = LayoutFigureReader()
        reader.name = words[1]
      } else {
        reader.read(words[0], Array(words.dropFirst()))
      }
    }
    return layouts + reader.layout
  }

  /// The layout that has been read; none before the first line.
  private var layout: [LoudspeakerLayout] {
    guard !name.isEmpty else { return [] }
    return [
      LoudspeakerLayout(
        name: name, speakers: speakers, ranks: ranks, zoneGroups: zoneGroups, virtuals: virtuals,
        regions: regions)
    ]
  }

  private mutating func read(_ kind: String, _ words: [String]) {
    let values = words.compactMap(Double.init)
    let numbers = words.compactMap { Int($0) }
    switch kind {
    case "main", "lfe": speakers.append(speaker(words[0], isLFE: kind == "lfe", values))
    case "ranks": ranks = numbers
    case "zones": zoneGroups.append(words.map { $0.split(separator: ",").compactMap { Int($0) } })
    case "virtual":
      let place = RoomGeometry.point(azimuth: values[0], elevation: values[1])
      virtuals.append(LoudspeakerLayout.Virtual(place: place, goesTo: Int(values[2])))
    case "triplet": regions.append(.triplet(numbers))
    case "quad": regions.append(.quad(numbers))
    default:
      regions.append(
        .ring(Array(numbers.dropFirst(3)), centre: SIMD3(values[0], values[1], values[2])))
    }
  }

  private func speaker(_ name: String, isLFE: Bool, _ values: [Double]) -> Loudspeaker {
    Loudspeaker(
      name: name, direction: Direction(azimuth: values[0], elevation: values[1]), isLFE: isLFE,
      place: RoomGeometry.point(azimuth: values[0], elevation: values[1]),
      corner: SIMD3(values[2], values[3], values[4]), filter: Int(values[5]))
  }
}
