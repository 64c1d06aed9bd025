import Markup

/// What a WAV file holds of audio definition metadata.
package struct ADMContainer {
  /// Bytes that `bxml` may inflate to.
  package static let inflatedLimit = 128 << 20

  /// The chunks, and how the samples are stored.
  package let file: WaveFile
  /// Which track belongs to which audioTrackUID; `nil` when the file doesn't say.
  package let channels: ChannelTable?
  /// The XML document; `nil` when there is none.
  package let document: [UInt8]?
  /// Dolby's metadata; `nil` when there are none.
  package let dolby: DolbyMetadata?

  /// Reads the metadata of a file; samples aren't read.
  /// - Throws: ``ADMError`` of code `container`, `tracks`, `limit` or `unsupported`.
  package init(_ bytes: FileBytes, findings: FindingLog) throws(ADMError) {
    file = try WaveFile(bytes, findings: findings)
    let limit = XMLLimits().documentBytes
    let table = try ADMContainer.payload("chna", file, bytes, limit: 4 + 40 * 0xFFFF)
    channels = try ADMContainer.table(table, file, findings)
    if let plain = try ADMContainer.payload("axml", file, bytes, limit: limit) {
      document = plain
      if file.chunk("bxml") != nil {
        findings.note(.container, kind: "bxml", "there are axml and bxml; axml is used")
      }
    } else if let compressed = try ADMContainer.payload("bxml", file, bytes, limit: limit) {
      document = try ADMContainer.inflate(compressed)
    } else if file.chunk("sxml") != nil {
      throw ADMError(.unsupported, "serial ADM (the sxml chunk) isn't supported; export with axml")
    } else {
      document = nil
    }
    dolby = try ADMContainer.payload("dbmd", file, bytes, limit: 1 << 20).map {
      DolbyMetadata($0, findings: findings)
    }
  }

  private static func table(
    _ payload: [UInt8]?, _ file: WaveFile, _ findings: FindingLog
  ) throws(ADMError) -> ChannelTable? {
    guard let payload else { return nil }
    return try ChannelTable(payload, channels: file.format.channels, findings: findings)
  }

  private static func payload(
    _ id: String, _ file: WaveFile, _ bytes: FileBytes, limit: Int
  ) throws(ADMError) -> [UInt8]? {
    guard let chunk = file.chunk(id) else { return nil }
    guard chunk.size <= Int64(limit) else {
      throw ADMError(
        .limit, "the \(id) chunk has \(chunk.size) bytes, and at most \(limit) are read")
    }
    return try bytes.allBytes(at: chunk.offset, count: Int(chunk.size), of: "the \(id) chunk")
  }

  /// Inflates `bxml` (BS.2088-1, 9): a version of 16 bits, then a gzip stream.
  private static func inflate(_ payload: [UInt8]) throws(ADMError) -> [UInt8] {
    let version = payload.littleEndian16(at: 0)
    guard payload.count > 2, version == 1 else {
      throw ADMError(.unsupported, "the bxml chunk has version \(version); only version 1 is known")
    }
    return try GzipInflater(limit: inflatedLimit).inflate(payload[2...])
  }
}
