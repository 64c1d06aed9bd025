import AudioCore

/// Responses of loudspeakers in a room at both ears of a head that looks ahead, as a process that reads files hands them on.
package struct RoomMeasurements: Sendable, Equatable {
  /// Longest responses in seconds.
  static let longest = 5.0

  /// Samples per second, 8000…384,000.
  let sampleRate: Int
  /// Samples of each response.
  let taps: Int
  /// Where the loudspeakers are, seen from the head.
  let directions: [Direction]
  /// Loudspeaker × ear × tap.
  let responses: [Float]
  /// Samples by which each response, loudspeaker × ear, begins later than it is stored.
  let delays: [Int]

  /// The response of a loudspeaker at an ear, 0 or 1, all of one length.
  func response(_ speaker: Int, _ ear: Int) -> [Float] {
    let place = 2 * speaker + ear
    let most = delays.max() ?? 0
    return [Float](repeating: 0, count: delays[place])
      + responses[place * taps..<(place + 1) * taps]
      + [Float](repeating: 0, count: most - delays[place])
  }
}

extension RoomMeasurements {
  private static let signature = Array("PinnaRRM".utf8)
  private static let headerSize = 8 + 4 * 4 + 64
  private static let version: UInt32 = 1

  /// Whether `bytes` begin as those of a room do.
  static func isRoom(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// The room as bytes, for a file with this SHA-256: the signature, four UInt32 (version, rate, taps, loudspeakers), the
  /// SHA-256 as 64 hexadecimal digits, azimuths and elevations (Float64), delays (Int64), responses (Float32). Numbers are
  /// little-endian.
  func bytes(_ sha256: String) -> [UInt8] {
    var bytes = RoomMeasurements.signature
    func append<Number>(_ numbers: [Number]) {
      numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    append(
      [
        RoomMeasurements.version, UInt32(sampleRate), UInt32(taps), UInt32(directions.count),
      ].map(\.littleEndian))
    bytes += Array(sha256.utf8)
    append(directions.flatMap { [$0.azimuth, $0.elevation] })
    append(delays.map { Int64($0).littleEndian })
    append(responses)
    return bytes
  }

  /// The room in `bytes`; `nil` unless it is whole and of a file with this SHA-256.
  init?(bytes: [UInt8], _ sha256: String) {
    let start = RoomMeasurements.headerSize
    guard bytes.count >= start, RoomMeasurements.isRoom(bytes),
      Array(bytes[24..<start]) == Array(sha256.utf8)
    else { return nil }
    func number<Number>(_ offset: Int, _ type: Number.Type) -> Number {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
    let header = (0..<4).map { Int(UInt32(littleEndian: number(8 + 4 * $0, UInt32.self))) }
    let (rate, taps, count) = (header[1], header[2], header[3])
    guard header[0] == Int(RoomMeasurements.version), (8000...384_000).contains(rate),
      (1...1 << 22).contains(taps), (1...1 << 14).contains(count),
      bytes.count == start + count * (32 + 8 * taps)
    else { return nil }
    sampleRate = rate
    self.taps = taps
    directions = (0..<count).map {
      Direction(
        azimuth: number(start + 16 * $0, Double.self),
        elevation: number(start + 16 * $0 + 8, Double.self))
    }
    let second = start + 16 * count
    delays = (0..<2 * count).map {
      Int(Int64(littleEndian: number(second + 8 * $0, Int64.self)))
    }
    responses = [Float](unsafeUninitializedCapacity: 2 * count * taps) { target, filled in
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(target).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[(second + 16 * count)...]))
      }
      filled = 2 * count * taps
    }
    guard delays.allSatisfy({ (0...rate).contains($0) }),
      directions.allSatisfy({ $0.azimuth.isFinite && $0.elevation.isFinite })
    else { return nil }
  }
}
