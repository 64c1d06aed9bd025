// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Loudspeaker numbers of ISO/IEC 23091-3, table 7.
@Suite struct ChannelPositionsTests {
  @Test(
    "layouts have the loudspeaker numbers of ISO/IEC 23091-3",
    arguments: [
      ("mono", [2]), ("stereo", [0, 1]), ("2.1", [0, 1, 3]), ("4.0", [0, 1, 2, 10]),
      // A layout's only pair of surrounds gets the numbers of Ls and Rs, whether it is called side or back.
      ("quad", [0, 1, 4, 5]), ("5.1", [0, 1, 2, 3, 4, 5]), ("5.1(side)", [0, 1, 2, 3, 4, 5]),
      ("7.1", [0, 1, 2, 3, 8, 9, 4, 5]), ("7.1(wide)", [0, 1, 2, 3, 4, 5, 6, 7]),
      ("7.1.4", [0, 1, 2, 3, 8, 9, 4, 5, 17, 18, 20, 21]),
      ("9.1.6(wide)", [0, 1, 2, 3, 8, 9, 4, 5, 17, 18, 20, 21, 15, 16, 23, 24]),
      (
        "22.2",
        [
          0, 1, 2, 3, 8, 9, 6, 7, 10, 4, 5, 25, 17, 19, 18, 20, 22, 21, 26, 23, 24, 29, 27, 28,
        ]
      ),
    ] as [(String, [Int])])
  func layoutsHaveTheStandardsNumbers(name: String, numbers: [Int]) throws {
    let layout = try #require(ChannelLayout(name: name))
    #expect(ChannelPositions.numbers(of: layout) == numbers)
  }

  @Test("downmix channels have no loudspeaker numbers")
  func aStereoDownmixHasNoNumbers() throws {
    let layout = try #require(ChannelLayout(name: "downmix"))
    #expect(ChannelPositions.numbers(of: layout) == nil)
    #expect(ChannelPositions.numbers(of: ChannelLayout([.frontCenter, .downmixLeft])) == nil)
  }

  /// The numbers of a layout give the same layout again, except that a lone back pair comes back as a side
  /// pair, which stands in the same place.
  @Test(
    "a layout's numbers give a layout with the same directions", arguments: ChannelLayout.knownNames
  )
  func numbersLeadBack(name: String) throws {
    let layout = try #require(ChannelLayout(name: name))
    guard let numbers = ChannelPositions.numbers(of: layout) else {
      #expect(name == "downmix")
      return
    }
    guard let back = ChannelPositions.layout(of: numbers) else {
      // Back channels that become side channels move behind those that lie between both in the mask.
      #expect(layout.speakers.contains(.backLeft) && !layout.speakers.contains(.sideLeft))
      return
    }
    let isOnlyBack = layout.speakers.contains(.backLeft) && !layout.speakers.contains(.sideLeft)
    #expect((back == layout) != isOnlyBack)
    for index in 0..<layout.count {
      #expect(back.direction(at: index) == layout.direction(at: index))
    }
  }

  @Test(
    "repeated, unordered and unknown loudspeaker numbers give no layout",
    arguments: [[], [0, 0], [1, 0], [2, 1, 0], [11], [14], [30], [-1], [0, 1, 99]])
  func whatIsNoLayoutIsRefused(numbers: [Int]) {
    #expect(ChannelPositions.layout(of: numbers) == nil)
  }
}
