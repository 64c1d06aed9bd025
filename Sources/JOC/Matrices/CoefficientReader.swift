// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads payloads with coefficients (`joc`, ETSI TS 103 420).
final class CoefficientReader {
  /// The reading of sparse coding that is followed.
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
  /// Channel that each band comes from.
  private let chosen = Buffer<Int>(0, count: CoefficientFrame.mostBands)

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

/// The coefficients of one frame of joint object coding (ETSI TS 103 420): how each object is mixed of the
/// channels of the downmix, by parameter bands. One value is read into again for each frame.
package final class CoefficientFrame {
  package static let mostObjects = 16
  /// Most channels of a downmix.
  package static let mostChannels = 7
  /// Most parameter bands.
  package static let mostBands = 23
  /// Most data points of an object in a frame.
  static let mostPoints = 2

  /// The header's data on an object.
  package struct Header: Equatable, Sendable {
    /// Whether it has coefficients; without them it keeps those of the frame before.
    package var isPresent = false
    /// Number of parameter bands; 0 without coefficients.
    package var bands = 0
    /// Whether each band is taken from one channel only.
    package var isSparse = false
    /// Whether coefficients are quantised in half steps.
    package var isFine = false
    /// Whether coefficients change at once.
    package var isSteep = false
    /// Number of data points, 1 or 2.
    package var points = 0
    /// First slots, counted from 1, in which steep data points hold.
    package var offsets = (0, 0)

    package static func == (first: Header, second: Header) -> Bool {
      first.isPresent == second.isPresent && first.bands == second.bands
        && first.isSparse == second.isSparse && first.isFine == second.isFine
        && first.isSteep == second.isSteep && first.points == second.points
        && first.offsets == second.offsets
    }
  }

  /// Kind of the downmix, `joc_dmx_config_idx`, 0…4.
  package internal(set) var configuration = 0
  /// Number of objects.
  package internal(set) var count = 0
  /// Gain that the encoder took away from the downmix (`joc_clipgain`), 1…8.75.
  package internal(set) var clipGain = 1.0
  /// Number of the frame, `joc_seq_count`; 0 begins anew.
  package internal(set) var sequence = 0
  /// Data of the header on each object, ``mostObjects`` of them.
  package internal(set) var headers = Array(
    repeating: Header(), count: CoefficientFrame.mostObjects)
  /// Whether the payload ended where its syntax says.
  package internal(set) var endsExactly = true
  /// Quantised coefficients by object, point, channel and band.
  private let codes = Buffer<UInt8>(
    0, count: mostObjects * mostPoints * mostChannels * mostBands)

  /// A frame without objects.
  package init() {}

  /// Channels of the downmix that objects are mixed of: L R C Ls Rs, then a pair behind or above.
  package var channels: Int { [5, 7, 7, 5, 7][configuration] }
  /// Whether left and right surround were shifted by 90° (`joc_dmx_config_idx` 3 and 4).
  package var isShifted: Bool { configuration >= 3 }

  /// Codes of an object at a data point in the bands of a channel, ``mostBands`` of them.
  package func codes(object: Int, point: Int, channel: Int) -> UnsafeMutablePointer<UInt8> {
    let row =
      (object * CoefficientFrame.mostPoints + point) * CoefficientFrame.mostChannels + channel
    return codes.base + row * CoefficientFrame.mostBands
  }

  /// Amplitude that a code of `object` stands for: steps of 820 / 4096, halved where it is fine.
  func coefficient(_ code: UInt8, of object: Int) -> Float {
    let isFine = headers[object].isFine
    let steps = Int(code) - (isFine ? 96 : 48)
    return Float(Double(steps * 820) / Double(isFine ? 8192 : 4096))
  }
}

/// Decoders of the codebooks of joint object coding.
struct CoefficientBooks {
  /// Of coefficients of all channels, coarse and fine.
  let coefficients = [
    HuffmanDecoder(JOCCodes.coarseCoefficients), HuffmanDecoder(JOCCodes.fineCoefficients),
  ]
  /// Of coefficients of one channel, coarse and fine.
  let vectors = [
    HuffmanDecoder(JOCCodes.coarseVectors), HuffmanDecoder(JOCCodes.fineVectors),
  ]
  /// Of the channel's number among five.
  let five = HuffmanDecoder(JOCCodes.fiveChannels)
  /// Of the channel's number among seven.
  let seven = HuffmanDecoder(JOCCodes.sevenChannels)
}
