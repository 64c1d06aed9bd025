/// Apple's gapless tag: hexadecimal fields of start-up, padding and valid samples.
struct ITunSMPB: Equatable {
  /// Samples of two centuries at 48 kHz; more is a garbled field.
  private static let longest: Int64 = 1 << 48

  let priming: Int
  let padding: Int
  let valid: Int64

  /// Parses the tag; `nil` when it is malformed or implausible.
  init?(_ text: String) {
    let fields = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard fields.count >= 4, let priming = fields[1], let padding = fields[2],
      let valid = fields[3], (0...65536).contains(priming), (0...65536).contains(padding),
      (1...ITunSMPB.longest).contains(valid)
    else { return nil }
    self.priming = Int(priming)
    self.padding = Int(padding)
    self.valid = valid
  }
}
