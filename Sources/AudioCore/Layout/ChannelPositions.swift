/// Loudspeaker positions as ISO/IEC 23091-3 numbers them (table 7).
package enum ChannelPositions {
  private static let numbers: [Speaker: Int] = [
    .frontLeft: 0, .frontRight: 1, .frontCenter: 2, .lowFrequency: 3, .sideLeft: 4, .sideRight: 5,
    .frontLeftOfCenter: 6, .frontRightOfCenter: 7, .backLeft: 8, .backRight: 9, .backCenter: 10,
    .wideLeft: 15, .wideRight: 16, .topFrontLeft: 17, .topFrontRight: 18, .topFrontCenter: 19,
    .topBackLeft: 20, .topBackRight: 21, .topBackCenter: 22, .topSideLeft: 23, .topSideRight: 24,
    .topCenter: 25, .lowFrequency2: 26, .bottomFrontLeft: 27, .bottomFrontRight: 28,
    .bottomFrontCenter: 29,
  ]

  /// Numbers of all of a layout's channels; `nil` when it has one without a number.
  package static func numbers(of layout: ChannelLayout) -> [Int]? {
    // Numbers 4 and 5 are left and right surround. The only surround pair of a layout gets them, even
    // where the layout calls it back left and right.
    let hasSides = layout.speakers.contains(.sideLeft)
    let found = layout.speakers.compactMap { speaker -> Int? in
      switch speaker {
      case .backLeft where !hasSides: return 4
      case .backRight where !hasSides: return 5
      default: return numbers[speaker]
      }
    }
    return found.count == layout.count ? found : nil
  }

  /// The layout whose channels have these numbers, in this order; `nil` when it has a number without
  /// a speaker, one twice, or another order than ``ChannelLayout``'s.
  package static func layout(of numbers: [Int]) -> ChannelLayout? {
    let speakers = numbers.compactMap { number in
      ChannelPositions.numbers.first { $0.value == number }?.key
    }
    let layout = ChannelLayout(speakers)
    guard !numbers.isEmpty, speakers.count == numbers.count, layout.speakers == speakers else {
      return nil
    }
    return layout
  }
}
