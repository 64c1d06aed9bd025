// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import LibAV

/// How much is known of the frames of an MP4 track.
enum StoredForm {
  /// Syncframes of AC-3 or E-AC-3, which have checksums.
  case dolby
  /// Frames of AC-4, which say whether decoding may begin with them.
  case ac4
  /// Nothing but their bytes.
  case opaque
}

/// The frames of an MP4 track, which already have times and the form that MP4 wants.
final class StoredUnits: AccessUnitSource {
  private let media: MediaFile
  private let stream: StreamInfo
  private let packet: Packet
  private let form: StoredForm
  private var first: Int64?
  /// The frame after the one that was given last, of frames whose duration is looked up in it.
  private var following: AccessUnit?
  /// Ticks between the last two of such frames.
  private var step: Int64 = 1

  var timescale: Int64 { stream.timeBase.denominator }
  var origin: (ticks: Int64, rate: Int64) { ((first ?? 0), timescale) }

  init(media: MediaFile, stream: StreamInfo, form: StoredForm) throws {
    self.media = media
    self.stream = stream
    self.form = form
    packet = try Packet()
    media.container?.select(stream: stream.index)
  }

  func next() throws -> AccessUnit? {
    guard form == .opaque else { return try read() }
    guard let unit = try following ?? read() else { return nil }
    following = try read()
    // libavformat reads no durations of fragments where it doesn't know the codec; times follow each other.
    if unit.duration > 1 { return unit }
    step = following.map { max(1, $0.time - unit.time) } ?? step
    return AccessUnit(
      data: unit.data, time: unit.time, duration: step, isSync: unit.isSync,
      isDamaged: unit.isDamaged)
  }

  private func read() throws -> AccessUnit? {
    repeat {
      guard try form == .dolby ? media.readNext(packet) : media.readWhole(packet) else {
        return nil
      }
    } while packet.streamIndex != stream.index
    // Times below 2^56 leave room for sums and differences in 64 bits.
    guard let time = packet.presentationTime ?? packet.decodeTime, time.magnitude < 1 << 56 else {
      throw MediaError(.damaged, about: media.file.path, "the times of its audio are damaged")
    }
    let data = packet.bytes()
    first = first ?? time
    let mark = mark(data)
    return AccessUnit(
      data: data, time: time - (first ?? 0), duration: min(max(1, packet.duration), 1 << 32),
      isSync: mark.isSync, isDamaged: mark.isDamaged)
  }

  /// Whether decoding may begin with the frame `data`, and whether it is damaged.
  private func mark(_ data: [UInt8]) -> (isSync: Bool, isDamaged: Bool) {
    switch form {
    case .dolby: return (true, packet.isCorrupt || !StoredUnits.isWhole(data))
    case .ac4:
      let contents = try? AC4TableOfContents(rawFrame: data)
      return (contents?.isIFrame ?? false, contents == nil)
    // The container alone says where decoding may begin.
    case .opaque: return (packet.isKey, false)
    }
  }

  /// Whether `data` are syncframes of AC-3 or E-AC-3 with right checksums, and nothing else.
  private static func isWhole(_ data: [UInt8]) -> Bool {
    var units = DolbyAccessUnits()
    let found = units.push(data) + units.finish()
    return !found.isEmpty && !found.contains(where: \.isDamaged)
  }
}

extension MediaFile {
  /// Reads the next packet for a copy; `false` at the end. Damage is an error, because a copy can't repair
  /// it.
  /// - Throws: ``MediaError`` of kind `damaged`, `inputUnreadable`, `encrypted` or `outOfResources`.
  func readWhole(_ packet: Packet) throws -> Bool {
    guard try readNext(packet) else { return false }
    guard !packet.isCorrupt else { throw corruption }
    return true
  }

  /// The failure of a copy where the container marks the packet that was read as corrupt.
  var corruption: MediaError {
    MediaError(
      .damaged, about: file.path,
      "the container marks audio at byte \(container?.bytePosition ?? 0) corrupt; \(WholeUnits.remedy)"
    )
  }

  /// Reads the next packet, for a caller that judges a packet itself which the container marks as corrupt; `false` at the end.
  /// - Throws: as above.
  func readNext(_ packet: Packet) throws -> Bool {
    do {
      guard try opened().read(into: packet) else { return false }
    } catch let error as LibAVError {
      switch error.meaning {
      case .outOfMemory:
        throw MediaError(.outOfResources, about: file.path, "memory is out; try again")
      case .inputOutput: throw readFailure
      default:
        throw MediaError(
          .damaged, about: file.path,
          "is damaged at byte \(container?.bytePosition ?? 0) (\(error))")
      }
    }
    guard !packet.isEncrypted else {
      throw MediaError(
        .encrypted, about: file.path, "its audio is encrypted; give a decrypted copy")
    }
    return true
  }
}
