// SPDX-License-Identifier: Apache-2.0

/// Gathers big-endian fields and nested boxes (ISO/IEC 14496-12, 4.2).
///
/// A box's size is patched in when its body is complete. Values that don't fit a field are
/// clamped, never wrapped; nothing traps.
package struct BoxBuilder: Sendable {
  /// Everything appended so far.
  package private(set) var bytes: [UInt8] = []

  /// An empty builder.
  package init() {}

  /// Appends bytes as they are.
  package mutating func append<Bytes: Sequence>(_ other: Bytes) where Bytes.Element == UInt8 {
    bytes.append(contentsOf: other)
  }

  package mutating func append<Box: WritableBox>(_ box: Box) { box.append(to: &self) }

  /// Appends `count` zero bytes.
  package mutating func zeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: max(0, count)))
  }

  /// Appends 8 bits.
  package mutating func u8<Value: BinaryInteger>(_ value: Value) {
    bytes.append(UInt8(clamping: value))
  }

  /// Appends 16 bits.
  package mutating func u16<Value: BinaryInteger>(_ value: Value) {
    integer(UInt16(clamping: value))
  }

  /// Appends 24 bits.
  package mutating func u24<Value: BinaryInteger>(_ value: Value) {
    let clamped = min(UInt32(clamping: value), 0xFF_FFFF)
    bytes.append(UInt8(truncatingIfNeeded: clamped >> 16))
    integer(UInt16(truncatingIfNeeded: clamped))
  }

  /// Appends 32 bits.
  package mutating func u32<Value: BinaryInteger>(_ value: Value) {
    integer(UInt32(clamping: value))
  }

  /// Appends 64 bits.
  package mutating func u64<Value: BinaryInteger>(_ value: Value) {
    integer(UInt64(clamping: value))
  }

  /// Appends 16 signed bits.
  package mutating func i16<Value: BinaryInteger>(_ value: Value) {
    integer(Int16(clamping: value))
  }

  /// Appends 32 signed bits.
  package mutating func i32<Value: BinaryInteger>(_ value: Value) {
    integer(Int32(clamping: value))
  }

  /// Appends 64 signed bits.
  package mutating func i64<Value: BinaryInteger>(_ value: Value) {
    integer(Int64(clamping: value))
  }

  /// Appends an unsigned 16.16 fixed-point number without a fraction.
  package mutating func fixed16<Value: BinaryInteger>(_ value: Value) {
    u16(value)
    u16(0)
  }

  /// Appends a four-character code in ISO 8859-1, filled up with spaces.
  package mutating func fourCC(_ type: String) {
    let codes = type.unicodeScalars.prefix(4).map { UInt8(truncatingIfNeeded: $0.value) }
    bytes.append(contentsOf: codes + Array(repeating: 0x20, count: 4 - codes.count))
  }

  /// Appends a string in UTF-8 with its terminating zero.
  package mutating func string(_ text: String) {
    bytes.append(contentsOf: text.utf8.filter { $0 != 0 })
    bytes.append(0)
  }

  /// Appends a box of `type` whose body the closure appends.
  package mutating func box(_ type: String, _ body: (inout BoxBuilder) throws -> Void) rethrows {
    let start = bytes.count
    u32(0)
    fourCC(type)
    try body(&self)
    close(start)
  }

  /// Appends a box with version and 24 bits of flags (ISO/IEC 14496-12, 4.2.2).
  package mutating func fullBox(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0,
    _ body: (inout BoxBuilder) throws -> Void
  ) rethrows {
    try box(type) {
      $0.u8(version)
      $0.u24(flags)
      try body(&$0)
    }
  }

  /// Replaces 32 bits at `offset` that were appended before.
  package mutating func patch(_ value: UInt32, at offset: Int) {
    guard offset >= 0, offset + 4 <= bytes.count else { return }
    withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
  }

  /// The header of a box whose payload is written elsewhere: 8 bytes, or 16 when the size needs
  /// 64 bits.
  package static func header(_ type: String, payloadSize: Int64) -> [UInt8] {
    var builder = BoxBuilder()
    let isLarge = payloadSize > Int64(UInt32.max) - 8
    builder.u32(isLarge ? 1 : payloadSize + 8)
    builder.fourCC(type)
    if isLarge { builder.u64(payloadSize.addingReportingOverflow(16).partialValue) }
    return builder.bytes
  }

  private mutating func close(_ start: Int) {
    let size = bytes.count - start
    guard size > Int(UInt32.max) else { return patch(UInt32(size), at: start) }
    patch(1, at: start)
    let large = UInt64(size + 8).bigEndian
    withUnsafeBytes(of: large) { bytes.insert(contentsOf: $0, at: start + 8) }
  }

  private mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// A box, or a family of boxes, that can be written.
package protocol WritableBox: Sendable {
  /// Appends the whole box, header included.
  func append(to builder: inout BoxBuilder)
}

extension WritableBox {
  /// The whole box.
  package var encoded: [UInt8] {
    var builder = BoxBuilder()
    append(to: &builder)
    return builder.bytes
  }
}

/// A box that can't be built from what was given.
package struct BoxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Type of the box, e.g. `dfLa`.
  package let box: String
  /// Fault of its content.
  package let reason: String

  /// A failure to build `box`.
  package init(_ box: String, _ reason: String) {
    self.box = box
    self.reason = reason
  }

  /// Both in one sentence.
  package var description: String { "\(box) box can't be written: \(reason)" }
}

/// Texts whose length in bytes is limited.
package enum CutText {
  /// The UTF-8 bytes of `text`, at most `limit`, never ending within a character.
  package static func utf8(_ text: String, limit: Int) -> [UInt8] {
    var bytes = Array(text.utf8.prefix(limit))
    while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return bytes
  }
}
