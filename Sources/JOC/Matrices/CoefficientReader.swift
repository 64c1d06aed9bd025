import Signal

/// Reads payloads with coefficients (`joc`, ETSI TS 103 420).
final class CoefficientReader {
  /// Which reading of sparse coding is followed.
  enum SparseReading {
    /// One chain of differences across all bands, other channels silent, channels counted from the one before:
    /// what decoders of the licensor do.
    case chained
    /// As the standard's pseudocode prints it: unselected channels get a gain of 0.4, the chain begins anew
    /// with each channel, and channels count from the number that was sent before.
    case printed
  }

  private let books = CoefficientBooks()
  private let reading: SparseReading
  /// Which channel each band comes from.
  private let chosen = FixedBuffer<Int>(0, count: CoefficientFrame.mostBands)

  /// A reader that follows one reading of sparse coding.
  init(_ reading: SparseReading = .chained) { self.reading = reading }

  /// Reads a payload of `size` bytes from the next of `bits` on.
  /// - Throws: ``JOCError``; `frame` is of no use then.
  func read(_ bits: BitReader, size: Int, into frame: CoefficientFrame) throws(JOCError) {
    var bits = bits
    try bits.limit(to: bits.position + 8 * size)
    let configuration = try bits.read(3)
    guard configuration <= 4 else { throw .unsupported("joc_dmx_config_idx \(configuration)") }
    frame.configuration = configuration
    frame.count = try bits.read(6) + 1
    guard frame.count <= CoefficientFrame.mostObjects else {
      throw .unsupported("\(frame.count) objects")
    }
    guard try bits.read(3) == 0 else { throw .unsupported("joc_ext_config_idx") }
    let exponent = try bits.read(3)
    let mantissa = try bits.read(5)
    frame.clipGain =
      1 + Double(mantissa) / 32 * Double(sign: .plus, exponent: exponent - 4, significand: 1)
    frame.sequence = try bits.read(10)
    for object in 0..<frame.count { frame.headers[object] = try header(&bits) }
    for object in 0..<frame.count where frame.headers[object].isPresent {
      for point in 0..<frame.headers[object].points {
        if frame.headers[object].isSparse {
          try readSparse(&bits, object, point, frame)
        } else {
          try readDense(&bits, object, point, frame)
        }
      }
    }
    let left = bits.remaining
    frame.endsExactly = left <= 7 && bits.peek(left) == 0
  }

  private func header(_ bits: inout BitReader) throws(JOCError) -> CoefficientFrame.Header {
    var header = CoefficientFrame.Header()
    header.isPresent = try bits.flag()
    guard header.isPresent else { return header }
    header.bands = BandTables.counts[try bits.read(3)]
    header.isSparse = try bits.flag()
    header.isFine = try bits.flag()
    header.isSteep = try bits.flag()
    header.points = try bits.read(1) + 1
    guard header.isSteep else { return header }
    header.offsets.0 = try bits.read(5) + 1
    if header.points > 1 { header.offsets.1 = try bits.read(5) + 1 }
    return header
  }

  private func readDense(
    _ bits: inout BitReader, _ object: Int, _ point: Int, _ frame: CoefficientFrame
  ) throws(JOCError) {
    let header = frame.headers[object]
    let steps = header.isFine ? 192 : 96
    let book = books.coefficients[header.isFine ? 1 : 0]
    for channel in 0..<frame.channels {
      let codes = frame.codes(object: object, point: point, channel: channel)
      var value = steps / 2
      for band in 0..<header.bands {
        value += try book.index(&bits)
        if value >= steps { value -= steps }
        codes[band] = UInt8(truncatingIfNeeded: value)
      }
    }
  }

  private func readSparse(
    _ bits: inout BitReader, _ object: Int, _ point: Int, _ frame: CoefficientFrame
  ) throws(JOCError) {
    let header = frame.headers[object]
    let steps = header.isFine ? 192 : 96
    let first = header.isFine ? 100 : 50
    let silent = reading == .chained ? steps / 2 : first
    let channels = frame.channels
    // The numbers of all channels come before the first amplitude.
    let chosen = chosen.base
    let book = channels == 5 ? books.five : books.seven
    var last = 0
    for band in 0..<header.bands {
      let sent = band == 0 ? try bits.read(3) : try book.index(&bits)
      let channel = band == 0 ? sent : (last + sent) % channels
      chosen[band] = channel
      last = reading == .chained ? channel : sent
    }
    for channel in 0..<channels {
      frame.codes(object: object, point: point, channel: channel)
        .update(repeating: UInt8(silent), count: header.bands)
    }
    let amplitudes = books.vectors[header.isFine ? 1 : 0]
    var value = first
    for band in 0..<header.bands {
      let channel = chosen[band]
      if reading == .printed, band > 0, channel != chosen[band - 1] { value = first }
      value += try amplitudes.index(&bits)
      if value >= steps { value -= steps }
      // A first index of 5 to 7 may name no channel.
      guard channel < channels else { continue }
      frame.codes(object: object, point: point, channel: channel)[band] =
        UInt8(truncatingIfNeeded: value)
    }
  }
}
