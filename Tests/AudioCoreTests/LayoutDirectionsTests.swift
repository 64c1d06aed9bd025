// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Every loudspeaker of every layout that has a name, by its label in ITU-R BS.2051-3: layer (M at
/// ear height, U 30° above, T overhead, B 30° below) and azimuth, left positive.
///
/// Systems A, B, C, D, I, J and H of BS.2051-3 are stereo, 5.1, 5.1.2, 5.1.4, 7.1, 7.1.4 and 22.2. For
/// the others these conventions of ``ChannelLayout`` hold: one pair of surrounds stands at ±110°, two
/// at ±90° and ±135°; a centre at the back at 180°; left and right of centre at ±15° beside a pair at
/// ±30°, at ±60° where there are two pairs of surrounds; wides at ±60°; heights above the front at ±30°
/// over one pair of surrounds and ±45° over two, those above the back over the surrounds behind.
/// The direction of low-frequency channels is straight ahead.
@Suite struct LayoutDirectionsTests {
  private static let table: [String: String] = [
    "mono": "M+000",
    "stereo": "M+030 M-030",
    "2.1": "M+030 M-030 M+000",
    "3.0": "M+030 M-030 M+000",
    "3.0(back)": "M+030 M-030 M+180",
    "4.0": "M+030 M-030 M+000 M+180",
    "quad": "M+030 M-030 M+110 M-110",
    "quad(side)": "M+030 M-030 M+110 M-110",
    "3.1": "M+030 M-030 M+000 M+000",
    "5.0": "M+030 M-030 M+000 M+110 M-110",
    "5.0(side)": "M+030 M-030 M+000 M+110 M-110",
    "4.1": "M+030 M-030 M+000 M+000 M+180",
    "5.1": "M+030 M-030 M+000 M+000 M+110 M-110",
    "5.1(side)": "M+030 M-030 M+000 M+000 M+110 M-110",
    "6.0": "M+030 M-030 M+000 M+180 M+110 M-110",
    "6.0(front)": "M+030 M-030 M+015 M-015 M+110 M-110",
    "hexagonal": "M+030 M-030 M+000 M+110 M-110 M+180",
    "6.1": "M+030 M-030 M+000 M+000 M+180 M+110 M-110",
    "6.1(back)": "M+030 M-030 M+000 M+000 M+110 M-110 M+180",
    "6.1(front)": "M+030 M-030 M+000 M+015 M-015 M+110 M-110",
    "7.0": "M+030 M-030 M+000 M+135 M-135 M+090 M-090",
    "7.0(front)": "M+030 M-030 M+000 M+015 M-015 M+110 M-110",
    "7.1": "M+030 M-030 M+000 M+000 M+135 M-135 M+090 M-090",
    "7.1(wide)": "M+030 M-030 M+000 M+000 M+110 M-110 M+015 M-015",
    "7.1(wide-side)": "M+030 M-030 M+000 M+000 M+015 M-015 M+110 M-110",
    "octagonal": "M+030 M-030 M+000 M+135 M-135 M+180 M+090 M-090",
    "5.1.2": "M+030 M-030 M+000 M+000 M+110 M-110 U+030 U-030",
    "5.1.2(back)": "M+030 M-030 M+000 M+000 M+110 M-110 U+030 U-030",
    "5.1.4": "M+030 M-030 M+000 M+000 M+110 M-110 U+030 U-030 U+110 U-110",
    "5.1.4(back)": "M+030 M-030 M+000 M+000 M+110 M-110 U+030 U-030 U+110 U-110",
    "7.1.2": "M+030 M-030 M+000 M+000 M+135 M-135 M+090 M-090 U+045 U-045",
    "7.1.4": "M+030 M-030 M+000 M+000 M+135 M-135 M+090 M-090 U+045 U-045 U+135 U-135",
    "9.1.4": "M+030 M-030 M+000 M+000 M+135 M-135 M+060 M-060 M+090 M-090 "
      + "U+045 U-045 U+135 U-135",
    "9.1.6": "M+030 M-030 M+000 M+000 M+135 M-135 M+060 M-060 M+090 M-090 "
      + "U+045 U-045 U+135 U-135 U+090 U-090",
    "9.1.4(wide)": "M+030 M-030 M+000 M+000 M+135 M-135 M+090 M-090 "
      + "U+045 U-045 U+135 U-135 M+060 M-060",
    "9.1.6(wide)": "M+030 M-030 M+000 M+000 M+135 M-135 M+090 M-090 "
      + "U+045 U-045 U+135 U-135 M+060 M-060 U+090 U-090",
    "22.2": "M+060 M-060 M+000 M+000 M+135 M-135 M+030 M-030 M+180 M+090 M-090 T+000 "
      + "U+045 U+000 U-045 U+135 U+180 U-135 M+000 U+090 U-090 B+000 B+045 B-045",
    "downmix": "M+030 M-030",
  ]

  @Test("the table of directions has each known layout")
  func theTableHasEveryLayout() {
    #expect(LayoutDirectionsTests.table.keys.sorted() == ChannelLayout.knownNames.sorted())
  }

  @Test(
    "each loudspeaker has the label of the table and the elevation of its layer",
    arguments: ChannelLayout.knownNames)
  func everyLoudspeakerStandsInItsPlace(name: String)
    throws
  {
    let layout = try #require(ChannelLayout(name: name))
    let places = (0..<layout.count).map { layout.direction(at: $0) }
    let labels = places.map(\.label).joined(separator: " ")
    #expect(labels == LayoutDirectionsTests.table[name])
    // A label only names the layer; these are the elevations of the layers.
    let heights = ["M": 0.0, "U": 30, "T": 90, "B": -30]
    for place in places {
      #expect(place.elevation == heights[String(place.label.prefix(1))])
      #expect(place.azimuth == place.azimuth.rounded() && (-180...180).contains(place.azimuth))
    }
  }

  /// No two loudspeakers of a layout have the same direction, except low-frequency channels.
  @Test("no two main channels of a layout have one direction", arguments: ChannelLayout.knownNames)
  func noTwoShareAPlace(name: String) throws {
    let layout = try #require(ChannelLayout(name: name))
    let places = layout.speakers.indices.filter { !layout.speakers[$0].isLFE }
      .map { layout.direction(at: $0) }
    #expect(Set(places).count == places.count)
  }

  /// Gains of ITU-R BS.1770-5, table 4: 1.41 between 60° and 120° at ear height.
  @Test(
    "loudness weights are 1.41 between 60° and 120° at ear height, 0 for LFE and 1 elsewhere",
    arguments: [
      ("mono", [1]), ("stereo", [1, 1]), ("4.0", [1, 1, 1, 1]), ("quad", [1, 1, 1.41, 1.41]),
      ("7.1", [1, 1, 1, 0, 1, 1, 1.41, 1.41]),
      ("5.1.4", [1, 1, 1, 0, 1.41, 1.41, 1, 1, 1, 1]),
      ("9.1.4(wide)", [1, 1, 1, 0, 1, 1, 1.41, 1.41, 1, 1, 1, 1, 1.41, 1.41]),
      (
        "22.2",
        [
          1.41, 1.41, 1, 0, 1, 1, 1, 1, 1, 1.41, 1.41, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1,
        ]
      ),
    ] as [(String, [Double])])
  func loudnessWeightsFollowThePlaces(name: String, weights: [Double]) throws {
    let layout = try #require(ChannelLayout(name: name))
    #expect((0..<layout.count).map { layout.loudnessWeight(at: $0) } == weights)
  }

  @Test("1…8 channels have a conventional layout, and −1, 0, 9 and 24 have none")
  func conventionalLayoutsHaveTheirCount() {
    for count in 1...8 { #expect(ChannelLayout.conventional(channels: count)?.count == count) }
    for count in [-1, 0, 9, 24] { #expect(ChannelLayout.conventional(channels: count) == nil) }
  }
}
