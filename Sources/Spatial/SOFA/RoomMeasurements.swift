// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Responses of loudspeakers in a room at both ears of one or more of the heads with which it was measured, as a process that reads
/// files hands them on.
package struct RoomMeasurements: Sendable, Equatable {
  /// Longest responses in seconds.
  static let longest = 5.0

  /// Samples per second, 8000…384,000.
  let sampleRate: Int
  /// Samples of each response.
  let taps: Int
  /// Directions of the loudspeakers, seen from the head that looks ahead.
  let directions: [Direction]
  /// Degrees by which all heads of the room are turned from the one that looks ahead, ascending, positive to the left,
  /// −180 < yaw ≤ 180.
  var yaws = [0.0]
  /// The heads, by their place in ``yaws``, whose responses are here.
  var views = [0]
  /// View × loudspeaker × ear × tap.
  let responses: [Float]
  /// Samples by which each response, view × loudspeaker × ear, begins later than it is stored.
  let delays: [Int]

  /// The response of a loudspeaker at an ear, 0 or 1, of the head at `view` of ``views``; all have one length.
  func response(_ speaker: Int, _ ear: Int, view: Int = 0) -> [Float] {
    let place = 2 * (view * directions.count + speaker) + ear
    let most = delays.max() ?? 0
    return [Float](repeating: 0, count: delays[place])
      + responses[place * taps..<(place + 1) * taps]
      + [Float](repeating: 0, count: most - delays[place])
  }
}

extension RoomMeasurements {
  private static let signature = Array("PinnaRRM".utf8)
  /// Numbers at the beginning: version, rate, taps, loudspeakers, heads of the room, views that are here.
  private static let headerNumbers = 6
  private static let headerSize = 8 + 4 * headerNumbers + 64
  private static let version: UInt32 = 2
  /// Most loudspeakers, and most heads.
  private static let most = 1 << 14

  /// Whether `bytes` begin as those of a room do.
  static func isRoom(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// The room as bytes, for a file with this SHA-256: the signature, six UInt32 (version, rate, taps, loudspeakers, heads, views), the
  /// SHA-256 as 64 hexadecimal digits, azimuths and elevations (Float64), yaws of all heads (Float64), views (Int64), delays (Int64),
  /// responses (Float32). Numbers are little-endian.
  func bytes(_ sha256: String) -> [UInt8] {
    var bytes = RoomMeasurements.signature
    func append<Number>(_ numbers: [Number]) {
      numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    append(
      [
        RoomMeasurements.version, UInt32(sampleRate), UInt32(taps), UInt32(directions.count),
        UInt32(yaws.count), UInt32(views.count),
      ].map(\.littleEndian))
    bytes += Array(sha256.utf8)
    bytes.reserveCapacity(bytes.count + 4 * responses.count + 8 * delays.count + (1 << 16))
    append(directions.flatMap { [$0.azimuth, $0.elevation] })
    append(yaws)
    append((views + delays).map { Int64($0).littleEndian })
    append(responses)
    return bytes
  }

  /// The room in `bytes`; `nil` unless it is whole and of a file with this SHA-256.
  init?(bytes: [UInt8], _ sha256: String) {
    let start = RoomMeasurements.headerSize
    guard bytes.count >= start, RoomMeasurements.isRoom(bytes),
      Array(bytes[start - 64..<start]) == Array(sha256.utf8)
    else { return nil }
    var position = 8
    func numbers<Number>(_ count: Int, _ type: Number.Type) -> [Number] {
      let size = MemoryLayout<Number>.size
      defer { position += count * size }
      return [Number](unsafeUninitializedCapacity: count) { target, filled in
        bytes.withUnsafeBytes { source in
          UnsafeMutableRawBufferPointer(target).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: source[position..<position + count * size]))
        }
        filled = count
      }
    }
    let header = numbers(RoomMeasurements.headerNumbers, UInt32.self).map {
      Int(UInt32(littleEndian: $0))
    }
    let (rate, taps, count, heads, kept) = (header[1], header[2], header[3], header[4], header[5])
    let counts = 1...RoomMeasurements.most
    guard header[0] == Int(RoomMeasurements.version), (8000...384_000).contains(rate),
      (1...1 << 22).contains(taps), counts.contains(count), counts.contains(heads),
      counts.contains(kept),
      bytes.count == start + 16 * count + 8 * heads + 8 * kept + kept * count * (16 + 8 * taps)
    else { return nil }
    position = start
    let angles = numbers(2 * count, Double.self)
    sampleRate = rate
    self.taps = taps
    directions = (0..<count).map {
      Direction(azimuth: angles[2 * $0], elevation: angles[2 * $0 + 1])
    }
    yaws = numbers(heads, Double.self)
    views = numbers(kept, Int64.self).map { Int(Int64(littleEndian: $0)) }
    delays = numbers(2 * count * kept, Int64.self).map { Int(Int64(littleEndian: $0)) }
    responses = numbers(2 * count * kept * taps, Float.self)
    guard delays.allSatisfy((0...rate).contains), angles.allSatisfy(\.isFinite),
      yaws.allSatisfy({ $0 > -180 && $0 <= 180 }), views.allSatisfy(yaws.indices.contains),
      zip(yaws, yaws.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
  }
}
