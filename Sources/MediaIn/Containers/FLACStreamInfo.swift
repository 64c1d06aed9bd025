/// The stream information of FLAC (RFC 9639, 8.2), as far as the timeline needs it.
struct FLACStreamInfo {
  /// Samples of the shortest block but the last.
  let leastBlock: Int64
  /// Samples of the longest block.
  let greatestBlock: Int64
  /// Bits of a sample.
  let bits: Int
  /// Samples of the whole stream; 0 when unknown.
  let samples: Int64
  /// MD5 of all samples; `nil` when unknown.
  let md5: [UInt8]?

  /// Reads the header of a codec; `nil` where it is none of FLAC.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 34 else { return nil }
    leastBlock = Int64(bytes[0]) << 8 | Int64(bytes[1])
    greatestBlock = Int64(bytes[2]) << 8 | Int64(bytes[3])
    bits = (Int(bytes[12] & 1) << 4 | Int(bytes[13] >> 4)) + 1
    let sum = Array(bytes[18..<34])
    md5 = sum.allSatisfy { $0 == 0 } ? nil : sum
    samples = bytes[14..<18].reduce(Int64(bytes[13] & 15)) { $0 << 8 | Int64($1) }
    guard leastBlock >= 16, greatestBlock >= leastBlock else { return nil }
  }
}
