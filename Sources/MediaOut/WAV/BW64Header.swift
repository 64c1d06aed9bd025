/// What lies before the samples of a BW64 file (ITU-R BS.2088-1).
///
/// While 32 bits hold all sizes, the file begins with `RIFF`, and a `JUNK` chunk keeps the place of `ds64`,
/// so that older programs read it. A header has the same length either way.
struct BW64Header: Sendable {
  /// The format of the samples.
  let settings: BW64Settings
  /// Chunks between the format and the samples.
  let leading: [WAVChunk]

  /// Content of `ds64` without a table.
  private static let longSizes = 28

  /// The header for `data` bytes of samples and `trailing` bytes of chunks behind them.
  func bytes(data: Int64, trailing: Int64) -> [UInt8] {
    let chunks = [WAVChunk(id: "fmt ", bytes: format)] + leading
    let middle = chunks.flatMap(\.stored)
    let riff = Int64(4 + 8 + BW64Header.longSizes + middle.count + 8) + data + data % 2 + trailing
    let isLong = riff > Int64(UInt32.max) - 8
    let sizes =
      LittleEndianBytes.of(riff) + LittleEndianBytes.of(data) + Array(repeating: 0, count: 12)
    let place = WAVChunk(
      id: isLong ? "ds64" : "JUNK",
      bytes: isLong ? sizes : Array(repeating: 0, count: BW64Header.longSizes))
    return Array((isLong ? "BW64" : "RIFF").utf8) + short(riff, isLong) + Array("WAVE".utf8)
      + place.stored + middle + Array("data".utf8) + short(data, isLong)
  }

  /// A size of 32 bits, or what says that it stands in `ds64`.
  private func short(_ size: Int64, _ isLong: Bool) -> [UInt8] {
    LittleEndianBytes.of(isLong ? UInt32.max : UInt32(clamping: size))
  }

  /// The content of `fmt `: WAVE_FORMAT_PCM, or WAVE_FORMAT_IEEE_FLOAT with the size of no extension.
  private var format: [UInt8] {
    let isFloat = settings.encoding.integerBits == nil
    let frame = settings.tracks * settings.encoding.bytes
    let rate = LittleEndianBytes.of(UInt32(clamping: settings.sampleRate))
    return LittleEndianBytes.of(UInt16(isFloat ? 3 : 1))
      + LittleEndianBytes.of(UInt16(clamping: settings.tracks)) + rate
      + LittleEndianBytes.of(UInt32(clamping: settings.sampleRate * frame))
      + LittleEndianBytes.of(UInt16(clamping: frame))
      + LittleEndianBytes.of(UInt16(8 * settings.encoding.bytes)) + (isFloat ? [0, 0] : [])
  }
}
