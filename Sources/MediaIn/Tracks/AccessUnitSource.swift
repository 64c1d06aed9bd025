// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import LibAV
import Platform

/// Gives the coded frames of one audio track in order, as MP4 holds them.
protocol AccessUnitSource: AnyObject {
  /// Ticks a second of all times.
  var timescale: Int64 { get }

  /// Time 0 on the source's clock, in seconds as ticks over a rate; known once the first
  /// unit has been read.
  var origin: (ticks: Int64, rate: Int64) { get }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when the track is damaged or has gaps.
  func next() throws -> AccessUnit?
}

extension MediaFile {
  /// The frames of an AC-3, E-AC-3 or AC-4 track in MP4's form, and those of any codec of an MP4.
  /// - Throws: ``LibAVError`` when memory is out.
  func accessUnits(
    of stream: StreamInfo, policy: DamagePolicy, log: DiagnosticLog
  ) throws -> any AccessUnitSource {
    let isAC4 = stream.codec == CodecTraits.ac4.name
    if container == nil { return RawAC4Units(file: file, log: log, policy: policy) }
    if movie != nil {
      let form: StoredForm =
        isAC4 ? .ac4 : stream.codecTraits.hasDolbyHeader ? .dolby : .opaque
      return try StoredUnits(media: self, stream: stream, form: form)
    }
    return try FramedUnits(media: self, stream: stream, isAC4: isAC4, log: log, policy: policy)
  }
}

/// One coded audio frame as MP4 holds it, with its time in ticks of its track.
package struct AccessUnit: Sendable, Equatable {
  /// Its bytes.
  package let data: [UInt8]
  /// Start, in ticks.
  package let time: Int64
  /// Duration, in ticks.
  package let duration: Int64
  /// Whether decoding may begin here.
  package let isSync: Bool
  /// Whether its checksum is wrong or it can't be read.
  package var isDamaged = false
}

/// The frames of a raw `.ac4` file.
final class RawAC4Units: AccessUnitSource {
  /// Bytes that are read at once.
  private static let piece = 1 << 16

  private let file: LocalFile
  private var scanner = AC4FrameScanner()
  private var position: Int64 = 0
  private var clock: AC4UnitClock
  private let log: DiagnosticLog

  var timescale: Int64 { clock.timescale }
  var origin: (ticks: Int64, rate: Int64) { (0, 1) }

  init(file: LocalFile, log: DiagnosticLog, policy: DamagePolicy) {
    self.file = file
    self.log = log
    clock = AC4UnitClock(path: file.path, log: log, policy: policy)
  }

  private func noteRest() {
    guard scanner.skippedBytes > 0 else { return }
    log.degrade(
      .truncated,
      "the last \(scanner.skippedBytes) bytes are no whole AC-4 frame; they are missing")
  }

  func next() throws -> AccessUnit? {
    while true {
      if let frame = scanner.next() { return try clock.unit(frame) }
      guard position < file.size else {
        noteRest()
        return nil
      }
      let bytes = file.bytes(at: position, count: RawAC4Units.piece)
      guard !bytes.isEmpty else {
        throw MediaError(.inputUnreadable, about: file.path, "reading failed; check the disk")
      }
      scanner.push(bytes)
      position += Int64(bytes.count)
      if position >= file.size { scanner.finish() }
    }
  }
}

/// Gives the frames of an AC-4 elementary stream their times by adding up their lengths: the frames
/// themselves carry no times.
struct AC4UnitClock {
  private let path: String
  private let log: DiagnosticLog
  private let policy: DamagePolicy
  private var rate: AC4FrameRate?
  private(set) var time: Int64 = 0

  /// Ticks a second; 1 before the first frame.
  var timescale: Int64 { Int64(rate?.mediaTimescale ?? 1) }

  init(path: String, log: DiagnosticLog, policy: DamagePolicy = .fail) {
    self.path = path
    self.log = log
    self.policy = policy
  }

  /// The next frame with its time.
  /// - Throws: ``MediaError`` of kind `damaged` for a wrong checksum or table of contents, of kind
  ///   `unsupported-feature` when the frame rate changes.
  mutating func unit(_ frame: AC4SyncFrame) throws -> AccessUnit {
    if frame.isCRCGood == false, let unit = concealed(frame) { return unit }
    guard frame.isCRCGood != false else {
      // Before the first intact frame nobody knows how long a damaged one lasts.
      let remedy = policy == .conceal ? "" : ", or render it with \(setting: .damage) conceal"
      throw MediaError(
        .damaged, about: path,
        "the AC-4 frame at byte \(frame.position) has a wrong checksum; get a whole copy\(remedy)")
    }
    if frame.skippedBytes > 0 {
      log.degrade(
        .garbageSkipped,
        "\(frame.skippedBytes) bytes before byte \(frame.position) are no AC-4 and were left out")
    }
    do {
      return try unit(frame.rawFrame)
    } catch let error as MediaError where error.kind == .damaged {
      // A frame without a checksum shows its damage only here.
      guard let unit = concealed(frame) else { throw error }
      return unit
    }
  }

  /// A unit that stands for the damaged `frame`; `nil` when damage isn't concealed, or no frame before
  /// says how long it lasts.
  private mutating func concealed(_ frame: AC4SyncFrame) -> AccessUnit? {
    guard policy == .conceal, let rate else { return nil }
    let duration = Int64(rate.frameDuration)
    defer { time += duration }
    return AccessUnit(
      data: frame.rawFrame, time: time, duration: duration, isSync: false, isDamaged: true)
  }

  /// The next raw frame with its time.
  mutating func unit(_ raw: [UInt8]) throws -> AccessUnit {
    let contents: AC4TableOfContents
    do { contents = try AC4TableOfContents(rawFrame: raw) } catch {
      throw MediaError(error.mediaError.kind, about: path, "\(error)", cause: error)
    }
    guard rate == nil || rate == contents.frameRate else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "its AC-4 frame rate changes in mid-stream, which one track can't hold")
    }
    rate = contents.frameRate
    let duration = Int64(contents.frameRate.frameDuration)
    defer { time += duration }
    return AccessUnit(data: raw, time: time, duration: duration, isSync: contents.isIFrame)
  }
}
