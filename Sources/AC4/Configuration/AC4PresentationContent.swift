/// The substream groups that a presentation of `dac4` plays together
/// (`ac4_presentation_v1_dsi`, TS 103 190-2, E.10).
package struct AC4PresentationContent: Sendable, Equatable {
  /// `presentation_config_v1` of a presentation that has EMDF containers alone.
  static let emdfOnly = 0x06
  /// `presentation_config_v1` of a presentation of one substream group.
  static let singleGroup = 0x1F

  /// `presentation_config_v1`.
  package var configuration = singleGroup
  /// `b_multi_pid`.
  package var isMultiPID = false
  /// The groups in the order of the configuration.
  package var groups: [AC4GroupDescription] = []
  /// The bytes of a configuration that the standard reserves; there are no groups then.
  package var extensionData: [UInt8] = []

  init() {}

  /// Reads `b_multi_pid` and the groups; the caller has read the configuration before them.
  init(configuration: Int, _ bits: inout BitReader) throws(AC4Error) {
    self.configuration = configuration
    var count = 1
    if configuration != AC4PresentationContent.singleGroup {
      isMultiPID = try bits.flag()
      switch configuration {
      case 0, 1, 2: count = 2
      case 3, 4: count = 3
      case 5: count = try bits.read(3) + 2
      default:
        extensionData = try bits.bytes(try bits.read(7))
        count = 0
      }
    }
    for _ in 0..<count { groups.append(try AC4GroupDescription(&bits)) }
  }

  /// Writes `b_multi_pid` and the groups.
  func write(to bits: inout BitWriter) {
    if configuration != AC4PresentationContent.singleGroup {
      bits.write(isMultiPID)
      if configuration == 5 {
        bits.write(groups.count - 2, 3)
      } else if configuration > 5 {
        bits.write(extensionData.count, 7)
        bits.write(extensionData)
      }
    }
    for group in groups { group.write(to: &bits) }
  }
}
