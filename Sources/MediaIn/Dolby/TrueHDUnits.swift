// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform
import TrueHD

/// The access units of a TrueHD or MLP track, of a raw file or packet by packet.
///
/// A raw file is read by its bytes, whatever libavformat takes it for: short files, and those that begin with the AC-3 core of a
/// disc, look like something else to it.
final class TrueHDUnits {
  /// The result of reading on.
  enum Step {
    /// The next unit, or a packet of several, at this time in samples; `nil` where none is stated.
    case unit(at: Int64?)
    /// Bytes before the next unit that belong to none.
    case skipped(Int)
    /// A damaged place of the container.
    case damage(String)
    /// Bytes at the end that are no whole unit.
    case rest(Int)
    /// No more units.
    case end
  }

  /// Bytes that are read at once.
  private static let piece = 1 << 16

  private let file: LocalFile
  /// The packets of a container; `nil` for a raw file.
  private let packets: TrackPackets?
  /// The units of a raw file.
  private var raw = RawUnits()
  private var clock: TrackClock
  private var position: Int64 = 0
  /// Whether a unit follows the skipped bytes that were given last.
  private var isHeld = false

  /// The units of `stream`; `isSizeUnknown` where the header leaves the length open.
  /// - Throws: ``LibAVError`` when memory is out.
  init(_ stream: StreamInfo, of media: MediaFile, isSizeUnknown: Bool) throws {
    file = media.file
    clock = TrackClock(stream, in: media.format)
    let isRaw = media.format == .trueHD || media.format == .mlp
    packets =
      isRaw ? nil : try TrackPackets(stream, of: media, isSizeUnknown: isSizeUnknown)
  }

  /// Accuracy of the times, for a programme of `rate` Hz in units of `frame` samples.
  func accuracy(rate: Int, frame: Int) -> (tolerance: Int64, uncertainty: Int64) {
    clock.sampleRate = rate
    clock.note(frame: Int64(frame), samples: 0, at: nil)
    // Units of a raw file are counted.
    guard packets != nil else { return (1, 0) }
    return (clock.tolerance, clock.uncertainty)
  }

  /// Reads up to the next unit, or to what comes before it.
  /// - Throws: ``MediaError`` of kind `encrypted` or `inputUnreadable`.
  func advance() throws -> Step {
    guard let packets else { return try advanceRaw() }
    switch try packets.advance() {
    case .packet: return step(of: packets)
    case .damage(let finding, _): return .damage(finding)
    case .end: return .end
    }
  }

  /// Hands over the bytes of the unit that was read last.
  func withUnit<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    guard let packets else { return try raw.withUnit(body) }
    return try packets.packet.withBytes(body)
  }

  private func step(of packets: TrackPackets) -> Step {
    let size = packets.packet.size
    // libavformat marks the last packet of a file that ends inside it.
    let isCut =
      packets.isSuspect
      && packets.packet.withBytes { TrueHDUnit.length(of: $0).map { $0 > size } ?? true }
    packets.isSuspect = false
    return isCut ? .rest(size) : .unit(at: packets.packet.presentationTime.flatMap(clock.position))
  }

  private func advanceRaw() throws -> Step {
    if isHeld {
      isHeld = false
      return .unit(at: nil)
    }
    while true {
      if let item = raw.next() {
        switch item {
        case .rest(let count): return .rest(count)
        case .unit(_, let skipped) where skipped > 0:
          isHeld = true
          return .skipped(skipped)
        case .unit: return .unit(at: nil)
        }
      }
      guard position < file.size else { return .end }
      let bytes = file.bytes(at: position, count: TrueHDUnits.piece)
      guard !bytes.isEmpty else {
        throw MediaError(.inputUnreadable, about: file.path, "reading failed; check the disk")
      }
      position += Int64(bytes.count)
      raw.push(bytes)
      if position >= file.size { raw.finish() }
    }
  }
}
