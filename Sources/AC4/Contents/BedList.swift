import ObjectMetadata

/// Channels of a bed in the order of their objects, at most 64. It has no memory of its own, because each frame lists them
/// anew.
package struct BedList: Equatable, Sendable {
  /// The most channels.
  static let capacity = 64

  /// Number of channels.
  package private(set) var count = 0
  private var codes = SIMD64<UInt8>.zero

  /// The channels.
  package var channels: [BedChannel] {
    (0..<count).compactMap { BedChannel(rawValue: Int(codes[$0])) }
  }

  /// Adds a channel; the list mustn't be full.
  mutating func append(_ channel: BedChannel) {
    codes[count] = UInt8(truncatingIfNeeded: channel.rawValue)
    count += 1
  }
}
