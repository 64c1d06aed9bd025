/// The settings of dialogue enhancement of objects (`ajoc_dmx_de_data`, TS 103 190-2, 6.2.7.4).
struct AJOCEnhancement {
  /// `de_max_gain`, 0…3.
  private(set) var maximumGain = 0
  private var isConfigured = false
  /// `de_main_dlg_flag`: one bit for each object.
  private var flags: UInt64 = 0

  /// Whether dialogue enhancement raises an object.
  func isDialogue(_ object: Int) -> Bool { flags >> UInt64(object) & 1 == 1 }

  /// Reads the data of a frame.
  ///
  /// The coefficients are skipped: they take dialogue out of the downmix where objects aren't decoded.
  mutating func read(
    _ bits: inout BitReader, isIFrame: Bool, inputs: Int, objects: Int
  ) throws(AC4Error) {
    let isSent = try bits.flag()
    let keeps = try bits.flag()
    if isSent {
      isConfigured = true
      maximumGain = try bits.read(2)
      flags = 0
      for object in 0..<objects where try bits.flag() { flags |= 1 << UInt64(object) }
    } else if isIFrame {
      self = AJOCEnhancement()
    }
    guard !keeps else { return }
    guard isConfigured else {
      if isIFrame { return }
      throw .needsIFrame("dialogue of objects")
    }
    for _ in 0..<flags.nonzeroBitCount * inputs where try bits.flag() {
      // A code of four bits stands for 1; other values have five.
      if try bits.read(3) != 7 { try bits.skip(1) }
    }
  }
}
