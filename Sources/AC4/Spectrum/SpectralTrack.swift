// SPDX-License-Identifier: Apache-2.0
import Signal

/// The quantised spectrum of one track as a frame codes it (`sf_data`, TS 103 190-1, 4.2.8).
///
/// Lines are stored group by group, inside a group band by band, then window by window.
final class SpectralTrack {
  /// Values reserved for each group, one for each band.
  static let rowLength = TransformSizes.bandStride
  /// Noise level difference that stands for a band without noise.
  static let noNoise: Int8 = -17

  /// Windows, groups and coded bands.
  var layout: WindowLayout
  /// Quantised lines in grouped order, −8191…8191.
  let lines: Buffer<Int16>
  /// Codebook of each group's bands; a frame has at most 16 groups.
  let codebooks = Buffer<UInt8>(0, count: 16 * rowLength)
  /// Whether each group's bands have lines that aren't 0.
  let isCoded = Buffer<Bool>(false, count: 16 * rowLength)
  /// Scale factor of each coded band, 0…255.
  let scaleFactors = Buffer<UInt8>(0, count: 16 * rowLength)
  /// Noise level differences of bands that aren't coded.
  let noiseLevels = Buffer<Int8>(0, count: 16 * rowLength)
  /// Whether noise levels were sent.
  var hasNoiseFill = false
  /// Scale factor that the first coded band starts from.
  var referenceScaleFactor = 0

  private let sizes: TransformSizes

  /// An empty track for frames of these sizes.
  init(_ sizes: TransformSizes) {
    self.sizes = sizes
    layout = WindowLayout(silent: sizes)
    lines = Buffer(0, count: sizes.frameLength)
  }

  /// Reads `sf_data` of a track with this layout.
  func read(
    _ bits: inout BitReader, _ layout: WindowLayout, _ books: SpectralBooks
  ) throws(AC4Error) {
    self.layout = layout
    try readSections(&bits)
    try readLines(&bits, books)
    try readScaleFactors(&bits, books.scaleFactor)
    try readNoiseLevels(&bits, books.noiseFill)
  }

  /// `asf_section_data`.
  private func readSections(_ bits: inout BitReader) throws(AC4Error) {
    for group in 0..<layout.groupCount {
      let count = layout.bandCount(group)
      // `sect_len_incr` is shorter for short transforms, which have fewer bands.
      let width = layout.transform(group) <= 2 ? 3 : 5
      let escape = 1 << width - 1
      let row = codebooks.base + group * SpectralTrack.rowLength
      var band = 0
      while band < count {
        let book = try bits.read(4)
        guard book <= 11 else { throw .damaged("spectral codebook \(book)") }
        var length = 1
        var step = try bits.read(width)
        while step == escape {
          length += escape
          step = try bits.read(width)
        }
        length += step
        guard length <= count - band else { throw .damaged("a section beyond the coded bands") }
        (row + band).update(repeating: UInt8(book), count: length)
        band += length
      }
    }
  }

  /// `asf_spectral_data`.
  private func readLines(_ bits: inout BitReader, _ books: SpectralBooks) throws(AC4Error) {
    var start = lines.base
    for group in 0..<layout.groupCount {
      let windows = layout.windows(group)
      let borders = sizes.borders(layout.transform(group))
      let row = group * SpectralTrack.rowLength
      for band in 0..<layout.bandCount(group) {
        let target = start + borders[band] * windows
        let count = (borders[band + 1] - borders[band]) * windows
        let book = Int(codebooks.base[row + band])
        if book == 0 {
          target.update(repeating: 0, count: count)
          isCoded.base[row + band] = false
        } else {
          isCoded.base[row + band] = try readBand(&bits, books[book], target, count)
        }
      }
      start += borders[layout.bandCount(group)] * windows
    }
  }

  /// The lines of one band; answers whether any isn't 0.
  ///
  /// Data are loaded for several codewords at a time, and nothing depends on a sign but the line itself.
  @inline(__always)
  private func readBand(
    _ bits: inout BitReader, _ book: SpectralBook, _ target: UnsafeMutablePointer<Int16>,
    _ count: Int
  ) throws(AC4Error) -> Bool {
    let dimension = book.dimension
    let signs = book.signs.base
    // All values or'ed: 0 only if each is.
    var union = SIMD4<Int16>(repeating: 0)
    var line = 0
    while line < count {
      var word = bits.peekLong()
      var used = 0
      let stop = min(count, line + SpectralBook.batch * dimension)
      var hasEscape = false
      while line < stop, !hasEscape {
        let entry = book.entry(word)
        let sign = signs[entry.signs(word)]
        let values = (book.values.base[entry.symbol] ^ sign) &- sign
        store(values, dimension, target + line)
        union |= values
        // The shift takes the lowest six bits, which are the length.
        word &<<= entry.code
        used += entry.length
        line += dimension
        hasEscape = entry.hasEscape
      }
      try bits.skip(used)
      if hasEscape { try readEscapes(&bits, target + line - 2) }
    }
    return union != SIMD4(repeating: 0)
  }

  @inline(__always)
  private func store(
    _ values: SIMD4<Int16>, _ dimension: Int, _ target: UnsafeMutablePointer<Int16>
  ) {
    let target = UnsafeMutableRawPointer(target)
    if dimension == 4 {
      target.storeBytes(of: values, as: SIMD4<Int16>.self)
    } else {
      target.storeBytes(of: values.lowHalf, as: SIMD2<Int16>.self)
    }
  }

  /// Replaces the escapes among two lines by what follows.
  private func readEscapes(
    _ bits: inout BitReader, _ lines: UnsafeMutablePointer<Int16>
  ) throws(AC4Error) {
    for line in 0..<2 where lines[line].magnitude == SpectralBook.escape.magnitude {
      lines[line] = try readEscape(&bits, lines[line])
    }
  }

  /// The magnitude behind an escape, with the sign of `value`.
  private func readEscape(_ bits: inout BitReader, _ value: Int16) throws(AC4Error) -> Int16 {
    let prefix = try bits.unary(limit: 8)
    let magnitude = Int16(1 << (prefix + 4) + (try bits.read(prefix + 4)))
    return value < 0 ? -magnitude : magnitude
  }

  /// `asf_scalefac_data`.
  private func readScaleFactors(
    _ bits: inout BitReader, _ decoder: HuffmanDecoder
  ) throws(AC4Error) {
    referenceScaleFactor = try bits.read(8)
    var value = referenceScaleFactor
    var isFirst = true
    for group in 0..<layout.groupCount {
      let row = group * SpectralTrack.rowLength
      for place in row..<row + layout.bandCount(group) where isCoded.base[place] {
        // The first coded band has the reference itself.
        if !isFirst { value += try decoder.value(&bits) }
        isFirst = false
        guard let factor = UInt8(exactly: value) else { throw .damaged("scale factor \(value)") }
        scaleFactors.base[place] = factor
      }
    }
  }

  /// `asf_snf_data`.
  private func readNoiseLevels(
    _ bits: inout BitReader, _ decoder: HuffmanDecoder
  ) throws(AC4Error) {
    hasNoiseFill = try bits.flag()
    guard hasNoiseFill else { return }
    for group in 0..<layout.groupCount {
      let row = group * SpectralTrack.rowLength
      for place in row..<row + layout.bandCount(group) where !isCoded.base[place] {
        noiseLevels.base[place] = Int8(try decoder.value(&bits))
      }
    }
  }
}
