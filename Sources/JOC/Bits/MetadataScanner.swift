import Signal

/// Finds the metadata container in the frames of an access unit of E-AC-3.
///
/// The container lies in skip fields, at any bit. Only a decoder of all audio blocks knows where these are,
/// so every bit is tried; a container counts only if all of it fits together.
struct MetadataScanner {
  /// Places with the sync word that are tried in one access unit.
  private static let mostTries = 64

  /// The container of `unit`; `nil` without one. The last of several decides, because the last frame of an
  /// access unit carries the objects; one that lacks a payload counts only where no other is complete.
  static func container(in unit: UnsafeBufferPointer<UInt8>) -> MetadataContainer? {
    var found: MetadataContainer?
    var tries = 0
    var window: UInt32 = 0
    for (index, byte) in unit.enumerated() {
      window = window << 8 | UInt32(byte)
      guard index >= 2 else { continue }
      for shift in stride(from: 7, through: 0, by: -1)
      where window >> UInt32(shift) & 0xFFFF == MetadataContainer.syncWord {
        let start = 8 * (index + 1) - shift - 16
        // Payloads may hold the sync word by chance.
        if let found, start < found.end { continue }
        tries += 1
        guard tries <= mostTries else { return found }
        var bits = BitReader(unit)
        bits.position = start
        guard let container = try? MetadataContainer(&bits) else { continue }
        if container.isComplete || found?.isComplete != true { found = container }
      }
    }
    return found
  }
}
