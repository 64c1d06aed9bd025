// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A folder that keeps the measurements of SOFA files as they were read, because reading them takes
/// most of the time until a renderer is ready.
///
/// Only what a file states is kept. Everything derived from it is computed each time, so that no
/// other version or option can leave a stale result. Files are named for the SHA-256 of their
/// source and appear whole or not at all; a file with any fault counts as absent. A failure here
/// costs time, never a render.
package struct HRTFCache: Sendable {
  /// Folder of the files; made on first use.
  package let folder: String
  /// Bytes that all files may take; the ones unused for longest go first.
  package let limit: Int64

  /// A cache in `folder` of at most `limit` bytes.
  package init(folder: String, limit: Int64 = 256 << 20) {
    self.folder = folder
    self.limit = limit
  }

  /// An unfinished file is abandoned after an hour.
  private var files: CacheFolder {
    CacheFolder(path: folder, suffix: ".measurements", patience: 3600)
  }

  /// Content kept of the file with this SHA-256; `nil` when the cache has no intact entry.
  func find(sha256: String) -> CachedMeasurements? {
    guard let file = files.find(sha256), file.size <= limit,
      let found = CachedMeasurements(bytes: file.bytes(at: 0, count: Int(file.size)), sha256)
    else { return nil }
    files.markUsed(file)
    return found
  }

  /// Keeps `content` for the file with this SHA-256, replacing what is there.
  func keep(_ content: CachedMeasurements, sha256: String) {
    let bytes = content.bytes(sha256)
    guard CacheFolder.isDigest(sha256), bytes.count <= limit, let file = files.begin(),
      bytes.withUnsafeBytes({ file.store($0, at: 0) }), file.place(as: sha256)
    else { return }
    files.trim(to: limit)
  }
}

/// Measurements and their citation as bytes of a cache file.
///
/// Fields in order, numbers little-endian: the signature, six UInt32 (version, rate, taps,
/// directions, unit of the delays, bytes of the citation), the SHA-256 of the file they came from as
/// 64 hexadecimal digits; azimuths and elevations (Float64), delays of both ears (Float64),
/// responses (Float32), the citation in UTF-8; a checksum of all that (UInt64).
struct CachedMeasurements {
  /// Measurements in the file.
  let measurements: HRTFMeasurements
  /// Source of the measurements; `nil` when the file doesn't say.
  let citation: String?

  /// Raise this whenever ``SOFAFile`` reads something differently.
  private static let version: UInt32 = 1
  private static let signature = Array("PinnaHRM".utf8)
  private static let units: [MeasuredDelays.Unit] = [.none, .samples, .seconds]
  private static let headerSize = 8 + 6 * 4 + 64

  /// Measurements to write to the cache.
  init(measurements: HRTFMeasurements, citation: String?) {
    self.measurements = measurements
    self.citation = citation
  }

  /// The file's content, for a source with this SHA-256.
  func bytes(_ sha256: String) -> [UInt8] {
    let text = Array((citation ?? "").utf8)
    let unit = CachedMeasurements.units.firstIndex(of: measurements.delayUnit) ?? 0
    let header: [UInt32] = [
      CachedMeasurements.version, UInt32(measurements.sampleRate), UInt32(measurements.taps),
      UInt32(measurements.directions.count), UInt32(unit), UInt32(text.count),
    ]
    var bytes = CachedMeasurements.signature
    func append<Number>(_ numbers: [Number]) {
      numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    append(header.map(\.littleEndian))
    bytes += Array(sha256.utf8)
    append(measurements.directions.flatMap { [$0.azimuth, $0.elevation] })
    append(measurements.delays)
    append(measurements.responses)
    bytes += text
    append([CachedMeasurements.checksum(bytes[...]).littleEndian])
    return bytes
  }

  /// The content of a cache file; `nil` unless it is whole, unchanged and of this source.
  init?(bytes: [UInt8], _ sha256: String) {
    let start = CachedMeasurements.headerSize
    guard bytes.count >= start + 8, Array(bytes[0..<8]) == CachedMeasurements.signature,
      Array(bytes[32..<start]) == Array(sha256.utf8)
    else { return nil }
    let header = (0..<6).map { Int(bytes.littleEndian(UInt32.self, at: 8 + 4 * $0)) }
    let (rate, taps, count, textSize) = (header[1], header[2], header[3], header[5])
    guard header[0] == Int(CachedMeasurements.version), (8000...384_000).contains(rate),
      (1...1 << 16).contains(taps), (1...1 << 24).contains(count), header[4] < 3,
      bytes.count == start + count * (32 + 8 * taps) + textSize + 8
    else { return nil }
    let sum = bytes.littleEndian(UInt64.self, at: bytes.count - 8)
    guard CachedMeasurements.checksum(bytes.dropLast(8)) == sum else {
      return nil
    }
    let angles: [Double] = CachedMeasurements.read(bytes, at: start, 2 * count)
    measurements = HRTFMeasurements(
      sampleRate: rate, taps: taps,
      directions: (0..<count).map {
        Direction(azimuth: angles[2 * $0], elevation: angles[2 * $0 + 1])
      },
      responses: CachedMeasurements.read(bytes, at: start + 32 * count, 2 * count * taps),
      delays: CachedMeasurements.read(bytes, at: start + 16 * count, 2 * count),
      delayUnit: CachedMeasurements.units[header[4]])
    let text = bytes.dropLast(8).suffix(textSize)
    citation = textSize == 0 ? nil : String(decoding: text, as: UTF8.self)
  }

  private static func read<Number>(_ bytes: [UInt8], at offset: Int, _ count: Int) -> [Number] {
    [Number](unsafeUninitializedCapacity: count) { target, filled in
      bytes.withUnsafeBytes { raw in
        let part = raw[offset..<offset + count * MemoryLayout<Number>.stride]
        UnsafeMutableRawBufferPointer(target).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: part))
      }
      filled = count
    }
  }

  /// FNV-1a over words of eight bytes, the last one padded with zeros, and the length. After each
  /// word, high bits are folded into low ones, because a product only carries changes upwards.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x100_0000_01B3
      hash ^= hash >> 29
    }
    bytes.withUnsafeBytes { raw in
      let whole = raw.count / 8 * 8
      for offset in stride(from: 0, to: whole, by: 8) {
        add(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      var rest: UInt64 = 0
      for offset in whole..<raw.count {
        rest |= UInt64(raw[offset]) << UInt64(8 * (offset - whole))
      }
      add(rest)
    }
    add(UInt64(bytes.count))
    return hash
  }
}
