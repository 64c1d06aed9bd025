/// The format of uncompressed sound in MP4 (ISO/IEC 23003-5, 5.3: `ipcm` and `fpcm` with `pcmC`), and where it
/// stands in the file.
package struct PCMFacts: Sendable, Equatable {
  /// Whether samples are floating point.
  package let isFloat: Bool
  /// Bits of one channel's sample.
  package let bits: Int
  /// Order of a sample's bytes.
  package let isLittleEndian: Bool
  /// Offset of the sample entry's type.
  package let entry: Int64
  /// Offset of the type of `pcmC`.
  package let configuration: Int64

  /// Reads the facts of a sample entry; `nil` unless it is of this kind and has a configuration that the standard
  /// allows.
  init?(entry: BoxHeader, in inner: BoxHeader, _ scanner: BoxScanner) {
    guard ["ipcm", "fpcm"].contains(entry.type), let box = scanner.first(["pcmC"], in: inner)
    else { return nil }
    let fields = scanner.payload(box, limit: 6)
    guard fields.count == 6 else { return nil }
    isFloat = entry.type == "fpcm"
    bits = Int(fields[5])
    guard (isFloat ? [32, 64] : [16, 24, 32]).contains(bits) else { return nil }
    isLittleEndian = fields[4] & 1 == 1
    // Both headers have 32-bit sizes, because their boxes are small, so that the type lies right before the payload.
    self.entry = entry.payload - 4
    configuration = box.payload - 4
  }
}
