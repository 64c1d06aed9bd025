// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Replaces samples of a track that can't be sound by silence, and reports them: NaN, infinities, and magnitudes beyond
/// those of 32-bit integers, which some files hold unscaled.
struct SampleCheck {
  /// Greatest magnitude that is kept: 2³², +193 dBFS.
  private static let greatest: Float = 4_294_967_296

  /// Samples replaced because they are no number or infinite.
  private var replaced: Int64 = 0
  /// Samples replaced because they are finite but greater than ``greatest``.
  private var implausible: Int64 = 0
  /// Samples seen.
  private var seen: Int64 = 0
  /// Greatest magnitude among the samples kept.
  private var peak: Float = 0
  private let log: DiagnosticLog
  /// Whether decoded samples are floating point, so that they can be anything.
  private let isFloat: Bool

  /// A check of samples whose libavcodec format is called `sampleFormat`, e.g. `fltp`.
  init(sampleFormat: String, log: DiagnosticLog) {
    self.log = log
    isFloat = sampleFormat.hasPrefix("flt") || sampleFormat.hasPrefix("dbl")
  }

  /// Replaces samples of `buffer` that can't be sound, from frame `start` on; `time` is the track's time
  /// at that frame.
  ///
  /// The first finding is reported now and not at the end of the track, because a job that renders only a
  /// range stops reading before that end.
  mutating func check(_ buffer: AudioBuffer, from start: Int, time: @autoclosure () -> MediaTime) {
    guard isFloat else { return }
    let before = (replaced, implausible)
    for channel in 0..<buffer.channels { check(buffer, channel, from: start) }
    if before.0 == 0, replaced > 0 {
      log.degrade(
        .nonFiniteSamples,
        "NaN or infinite samples, the first after \(time()), are replaced by silence")
    }
    if before.1 == 0, implausible > 0 {
      log.degrade(
        .implausibleSamples,
        "samples beyond +193 dBFS, the first after \(time()), are replaced by silence")
    }
  }

  private mutating func check(_ buffer: AudioBuffer, _ channel: Int, from start: Int) {
    let plane = buffer.channel(channel)
    seen += Int64(plane.count - start)
    let found = buffer.greatestMagnitude(
      channel: channel, from: start, count: plane.count - start)
    // NaN fails this comparison and is found below.
    guard !(found <= SampleCheck.greatest) else {
      peak = max(peak, found)
      return
    }
    for position in start..<plane.count {
      let size = plane[position].magnitude
      if size <= SampleCheck.greatest {
        peak = max(peak, size)
        continue
      }
      if size.isFinite { implausible += 1 } else { replaced += 1 }
      plane[position] = 0
    }
  }

  /// Judges the track as a whole at its end.
  /// - Throws: ``MediaError`` of kind `damaged` when no sample was usable.
  func close(path: String, isLossless: Bool) throws {
    let unusable = replaced + implausible
    guard unusable == 0 || unusable < seen else {
      throw MediaError(
        .damaged, about: path, "every sample is NaN or infinite; give an intact copy")
    }
    // Lossy codecs exceed full scale by their nature, which is no news. In a lossless file the author put
    // such samples there, so it is reported that they are kept.
    guard isLossless, peak > 1 else { return }
    let level = (200 * log10(Double(peak))).rounded() / 10
    log.decide(
      .fullScale, "kept",
      why: "samples reach \(level) dB above full scale; a player without gain would clip them")
  }
}

/// Holds the samples of a whole decode against the MD5 that FLAC's STREAMINFO states of them: interleaved little-endian
/// integers of whole bytes (RFC 9639, 8.2).
struct SampleMD5 {
  private let stated: [UInt8]
  /// Bytes of a sample.
  private let size: Int
  /// Factor that brings samples of `bits` bits to the low bits of those that are packed.
  private let scale: Float
  private var digest = Digest(.md5)
  private var scaled: AudioBuffer?
  private var bytes: [UInt8] = []

  /// A check of a stream; `nil` where it states no MD5, or its samples have more bits than a float holds.
  init?(_ info: FLACStreamInfo) {
    guard let md5 = info.md5, (4...24).contains(info.bits) else { return nil }
    stated = md5
    size = (info.bits + 7) / 8
    // Single bytes are packed as the low halves of 16 bits.
    scale = 1 / Float(1 << (max(16, size * 8) - info.bits))
  }

  /// Adds the frames of `buffer` from `start` on.
  mutating func update(_ buffer: AudioBuffer, from start: Int) {
    guard scale != 1 else { return add(buffer, start..<buffer.frames) }
    let low = scaled ?? AudioBuffer(channels: buffer.channels)
    scaled = low
    low.removeAll()
    low.append(buffer, range: start..<buffer.frames)
    for channel in 0..<low.channels {
      let plane = low.channel(channel)
      for index in plane.indices { plane[index] *= scale }
    }
    add(low, 0..<low.frames)
  }

  private mutating func add(_ buffer: AudioBuffer, _ range: Range<Int>) {
    let format = size == 3 ? SampleFormat.integer24 : .integer16
    let count = range.count * buffer.channels * format.bytes
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    bytes.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress, count > 0 else { return }
      buffer.pack(range, as: format, into: base)
    }
    if size == 1 {
      digest.update(stride(from: 0, to: count, by: 2).map { bytes[$0] })
    } else {
      bytes.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Reports samples that aren't those that were encoded; all of the track have been added.
  func close(_ log: DiagnosticLog) {
    guard digest.bytes != stated else { return }
    log.degrade(
      .checksumMismatch,
      "the samples aren't those that the header has the MD5 of: the file was damaged or edited after encoding"
    )
  }
}
