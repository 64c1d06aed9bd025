// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Frames that share a block (RFC 9559, 10.3).
enum Lacing: UInt8 {
  case none = 0
  case xiph = 1
  case fixed = 2
  case ebml = 3

  /// The lacing that the flags of a block state.
  init(flags: UInt8) { self = Lacing(rawValue: flags >> 1 & 3) ?? .none }

  /// The frames in the content of a block behind its flags; `nil` where their sizes don't fit it.
  func frames(in content: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard self != .none else { return [content] }
    guard let first = content.first else { return nil }
    var rest = content.dropFirst()
    // The byte states the number of frames less one.
    guard let sizes = sizes(of: Int(first) + 1, &rest) else { return nil }
    var frames: [ArraySlice<UInt8>] = []
    for size in sizes {
      guard size >= 0, size <= rest.count else { return nil }
      frames.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty ? frames : nil
  }

  /// Sizes of all frames; takes from `rest` the bytes that state them.
  private func sizes(of count: Int, _ rest: inout ArraySlice<UInt8>) -> [Int]? {
    var sizes: [Int] = []
    switch self {
    case .none: return [rest.count]
    case .fixed:
      guard rest.count % count == 0 else { return nil }
      return Array(repeating: rest.count / count, count: count)
    case .xiph:
      for _ in 1..<max(1, count) {
        guard let size = Lacing.xiphSize(&rest) else { return nil }
        sizes.append(size)
      }
    case .ebml:
      for number in 1..<max(1, count) {
        guard let size = Lacing.ebmlSize(number == 1 ? nil : sizes.last, &rest) else {
          return nil
        }
        sizes.append(size)
      }
    }
    // The last frame has what is left.
    sizes.append(rest.count - sizes.reduce(0, +))
    return sizes
  }

  /// A size as bytes of 255 and one below (RFC 9559, 10.3.2).
  private static func xiphSize(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var size = 0
    while let byte = rest.popFirst() {
      size += Int(byte)
      if byte < 255 { return size }
    }
    return nil
  }

  /// The first size, or the difference to the one before (RFC 9559, 10.3.3). No frame is as long as 2^31 bytes.
  private static func ebmlSize(_ last: Int?, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let size: Int64
    if let last {
      guard let parsed = VariableInteger.parseSigned(rest) else { return nil }
      size = Saturating.sum(Int64(last), parsed.value)
      rest = rest.dropFirst(parsed.width)
    } else {
      guard let parsed = VariableInteger.parse(rest), let value = parsed.value else { return nil }
      size = Int64(value)
      rest = rest.dropFirst(parsed.width)
    }
    return (0..<1 << 31).contains(size) ? Int(size) : nil
  }
}
