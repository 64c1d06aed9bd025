// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The step from libavformat's packets to frames as containers of files hold them.
package enum PacketForm: Sendable, Equatable {
  /// A packet is a frame.
  case asStored
  /// A packet is a frame of AAC behind a header of ADTS, which goes.
  case adts
  /// A packet is one segment of a picture in PGS, or several; a frame is all segments of one display.
  case displaySets
  /// A packet is any number of plain samples, of which those that aren't wanted can be cut off.
  case samples(bytes: Int)

  /// Bytes that a frame may gather from several packets, far beyond any real picture.
  static let largest = 64 << 20
}

/// The header in front of a frame of AAC in ADTS (ISO/IEC 14496-3, 1.A.2).
struct ADTSHeader: Equatable {
  /// Bytes that it has, with the checksum where there is one.
  let size: Int
  /// Bytes of header and frame.
  let frameSize: Int
  private let objectType: UInt8
  private let rateIndex: UInt8
  private let channels: UInt8

  /// The header at the beginning of `packet`; `nil` where there is none, or the frame has several blocks of raw data.
  init?(_ packet: [UInt8]) {
    guard packet.count >= 7, packet[0] == 0xFF, packet[1] & 0xF6 == 0xF0, packet[6] & 3 == 0
    else { return nil }
    size = packet[1] & 1 == 1 ? 7 : 9
    frameSize = Int(packet[3] & 3) << 11 | Int(packet[4]) << 3 | Int(packet[5]) >> 5
    objectType = packet[2] >> 6 + 1
    rateIndex = packet[2] >> 2 & 15
    channels = (packet[2] & 1) << 2 | packet[3] >> 6
    guard frameSize >= size, rateIndex < 13 else { return nil }
  }

  /// AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) of the same values; `nil` where the frame itself names its channels.
  var configuration: [UInt8]? {
    guard channels > 0 else { return nil }
    return [objectType << 3 | rateIndex >> 1, (rateIndex & 1) << 7 | channels << 3]
  }
}

/// Gathers the segments of PGS to whole displays.
struct DisplaySets {
  /// The segment that begins a display, and the one that ends it.
  private static let (composition, end): (UInt8, UInt8) = (0x16, 0x80)

  private var bytes: [UInt8] = []
  private var time: MediaTime?
  private var duration: MediaTime?
  private var isDamaged = false

  /// Whether what waits is damage alone, of which no display comes.
  var isJunk: Bool { isDamaged && bytes.isEmpty }

  /// Adds a packet.
  /// - Returns: displays that are complete.
  mutating func add(_ packet: CodedFrame) -> [CodedFrame] {
    var done: [CodedFrame] = []
    var place = 0
    while place + 3 <= packet.data.count {
      let next = place + 3 + Int(packet.data[place + 1]) << 8 + Int(packet.data[place + 2])
      guard next <= packet.data.count else { break }
      // A display without its last segment ends where the next one begins.
      if packet.data[place] == DisplaySets.composition, let cut = take(packet) { done.append(cut) }
      if time == nil { (time, duration) = (packet.time, packet.duration) }
      isDamaged = isDamaged || packet.isDamaged
      bytes += packet.data[place..<next]
      let isFull = bytes.count > PacketForm.largest
      isDamaged = isDamaged || isFull
      if packet.data[place] == DisplaySets.end || isFull, let whole = take(packet) {
        done.append(whole)
      }
      place = next
    }
    // Bytes that are no segment can't be placed. They are no part of a frame, but the display that they may have belonged to lacks them.
    if place < packet.data.count { isDamaged = true }
    return done
  }

  /// The segments that wait, as a frame like `packet`; `nil` for none.
  mutating func take(_ packet: CodedFrame) -> CodedFrame? {
    guard let begin = time, !bytes.isEmpty else { return nil }
    var frame = packet
    (frame.data, frame.time, frame.duration) = (bytes, begin, duration)
    frame.isDamaged = isDamaged
    (bytes, time, duration, isDamaged) = ([], nil, nil, false)
    return frame
  }

  /// The effect of a display on those before it, by its composition segment (US 2009/0185789, as HDMV's PGS is described there).
  enum Effect {
    /// A display that can be shown by itself.
    case complete
    /// A display that shows nothing.
    case empty
    /// A change of the display before it.
    case change
  }

  static func effect(of display: [UInt8]) -> Effect {
    // Type, size, width, height, frame rate and number go before the state; palette flag and palette before the objects.
    guard display.count > 13, display[0] == composition else { return .change }
    if display[13] == 0 { return .empty }
    return display[10] == 0 ? .change : .complete
  }
}
