/// Name and audience of an alternative presentation (`alternative_info`, TS 103 190-2, E.12).
package struct AC4AlternativePresentation: Sendable, Equatable {
  /// `presentation_name`, in UTF-8.
  package var name: [UInt8]
  /// The devices that it is meant for.
  package var targets: [AC4AlternativeTarget] = []

  /// Reads the element, which is aligned to the bytes of the entry that began at bit `start`.
  init(_ bits: inout BitReader, entryStart start: Int) throws(AC4Error) {
    try bits.align(from: start)
    name = try bits.bytes(try bits.read(16))
    for _ in 0..<(try bits.read(5)) {
      let level = try bits.read(3)
      let category = try bits.read(8)
      targets.append(AC4AlternativeTarget(level: level, deviceCategory: category))
    }
  }

  func write(to bits: inout BitWriter) {
    bits.align()
    bits.write(name.count, 16)
    bits.write(name)
    bits.write(targets.count, 5)
    for target in targets {
      bits.write(target.level, 3)
      bits.write(target.deviceCategory, 8)
    }
  }
}
