// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal

/// A container of extensible metadata (EMDF, ETSI TS 102 366, annex H) in the bits of a frame.
struct MetadataContainer: Equatable {
  typealias Payload = PayloadReader.Payload

  /// First 16 bits of a container.
  static let syncWord = 0x5838
  /// Payload with the coefficients of joint object coding.
  private static let coefficientsID = 14

  /// Metadata of the objects; `nil` without them.
  private(set) var objects: Payload?
  /// Coefficients; `nil` without them.
  private(set) var coefficients: Payload?
  /// Bit behind it, counted from the frame's first one.
  private(set) var end = 0

  /// Whether it holds all that objects need.
  var isComplete: Bool { objects != nil && coefficients != nil }

  /// Reads the container whose sync word is the next thing in `bits`.
  /// - Throws: ``JOCError`` unless everything fits: the length, all payloads, and zeros up to the end.
  init(_ bits: inout BitReader) throws(JOCError) {
    guard try bits.read(16) == MetadataContainer.syncWord else { throw .malformed("sync word") }
    let bytes = try bits.read(16)
    try bits.limit(to: bits.position + 8 * bytes)
    var payloads = try PayloadReader(bits, .frame)
    while let payload = try payloads.next() {
      if payload.id == PayloadReader.objectsID { objects = payload }
      if payload.id == MetadataContainer.coefficientsID { coefficients = payload }
    }
    try payloads.skipProtection()
    try bits.move(to: payloads.position)
    guard bits.remaining <= 7, try bits.read(bits.remaining) == 0 else {
      throw .malformed("emdf_container_length")
    }
    end = bits.position
    guard objects != nil || coefficients != nil else { throw .unsupported("other payloads") }
  }
}

/// Finds the metadata container in the frames of an access unit of E-AC-3.
///
/// The container lies in skip fields, at any bit. Only a decoder of all audio blocks knows where these are,
/// so every bit is tried; a container counts only if all of it fits together.
struct MetadataScanner {
  /// Places with the sync word that are tried in one access unit.
  private static let mostTries = 64

  /// Bits behind the sync word in the last of three bytes that hold it, by the byte in the middle, which is
  /// another one for each of 0…7; ``none`` for bytes that are never in the middle.
  private static let shifts: [UInt8] = {
    var shifts = Array(repeating: none, count: 256)
    for shift in 0..<8 { shifts[(MetadataContainer.syncWord << shift) >> 8 & 0xFF] = UInt8(shift) }
    return shifts
  }()
  private static let none: UInt8 = 8

  /// The container of `unit`; `nil` without one. The last of several decides, because the last frame of an
  /// access unit carries the objects; one that lacks a payload counts only where no other is complete.
  static func container(in unit: UnsafeBufferPointer<UInt8>) -> MetadataContainer? {
    var found: MetadataContainer?
    var tries = 0
    var middle = 1
    while let start = nextSync(in: unit, &middle) {
      // Payloads may hold the sync word by chance.
      if let found, start < found.end { continue }
      tries += 1
      guard tries <= mostTries else { return found }
      var bits = BitReader(unit)
      bits.position = start
      guard let container = try? MetadataContainer(&bits) else { continue }
      if container.isComplete || found?.isComplete != true { found = container }
    }
    return found
  }

  /// The bit that the next sync word begins with. Whole files are searched, so that nearly every byte has to be
  /// passed over by one look into a table.
  /// - Parameter middle: the first byte that may be the middle of three that hold the word; moves on behind
  ///   the one found.
  private static func nextSync(
    in unit: UnsafeBufferPointer<UInt8>, _ middle: inout Int
  ) -> Int? {
    guard let bytes = unit.baseAddress else { return nil }
    return shifts.withUnsafeBufferPointer { shifts in
      while middle < unit.count - 1 {
        let index = middle
        middle += 1
        let shift = shifts[Int(bytes[index])]
        guard shift != none else { continue }
        let word = Int(bytes[index - 1]) << 16 | Int(bytes[index]) << 8 | Int(bytes[index + 1])
        if word >> Int(shift) & 0xFFFF == MetadataContainer.syncWord {
          return 8 * index - Int(shift)
        }
      }
      return nil
    }
  }
}
