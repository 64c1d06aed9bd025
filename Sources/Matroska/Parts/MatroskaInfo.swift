// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The kinds of files that there are (RFC 9559, 4; the WebM Project's guidelines).
package enum MatroskaDocType: String, Sendable {
  case matroska
  case webm

  /// The type of files of `kind`; `nil` for a container that isn't made of these elements.
  package init?(_ kind: ContainerKind) { self.init(rawValue: kind.rawValue) }

  /// The header of EBML, in front of the segment (RFC 8794, 11.2). Version 4 has all elements that are written, and a
  /// reader of version 2 knows the SimpleBlock.
  package var header: [UInt8] {
    var builder = EBMLBuilder()
    builder.master(.ebml) {
      $0.unsigned(.ebmlVersion, 1)
      $0.unsigned(.ebmlReadVersion, 1)
      $0.unsigned(.ebmlMaxIDLength, 4)
      $0.unsigned(.ebmlMaxSizeLength, 8)
      $0.text(.docType, rawValue)
      $0.unsigned(.docTypeVersion, 4)
      $0.unsigned(.docTypeReadVersion, 2)
    }
    return builder.bytes
  }

  /// Whether a file of this type may have attached files.
  package var holdsAttachments: Bool { self != .webm }

  /// Whether a file of this type may have a track of this codec.
  package func holds(codec: String) -> Bool {
    guard self == .webm else { return true }
    return ["V_VP8", "V_VP9", "V_AV1", "A_OPUS", "A_VORBIS"].contains(codec)
      || codec.hasPrefix("D_WEBVTT/")
  }
}

/// Facts of a whole segment (RFC 9559, 5.1.2).
package struct MatroskaInfo: Sendable, Equatable {
  /// Nanoseconds of a tick, from 1.
  package var timestampScale: Int64 = 1_000_000
  /// The stated length in ticks; `nil` where none is stated. A writer states the one that it finds.
  package var duration: Double?
  /// The title of the whole.
  package var title: String?
  /// The library that wrote the file.
  package var muxingApp: String
  /// The program that wrote it.
  package var writingApp: String
  /// Identifier of the segment, by which others refer to it; only read.
  package private(set) var segmentUUID: [UInt8]?
  /// Whether another segment is to be played in front of this one or after it (RFC 9559, 17); only read.
  package private(set) var hasNeighbour = false

  /// Facts of a file that `maker` writes.
  package init(maker: String, timestampScale: Int64 = 1_000_000, title: String? = nil) {
    muxingApp = maker
    writingApp = maker
    self.timestampScale = timestampScale
    self.title = title
  }

  /// The facts of an Info element.
  init(_ fields: [EBMLElement]) {
    // A scale of 0 would put everything at one time.
    timestampScale = max(1, fields[.timestampScale]?.integer ?? 1_000_000)
    duration = fields[.duration]?.float
    title = fields[.title]?.text
    muxingApp = fields[.muxingApp]?.text ?? ""
    writingApp = fields[.writingApp]?.text ?? ""
    segmentUUID = fields[.segmentUUID].map { Array($0.body) }
    hasNeighbour = fields[.prevUUID] != nil || fields[.nextUUID] != nil
  }

  /// The element. Its last eight bytes are the length in ticks, so that it can be replaced.
  func encoded(ticks: Double) -> [UInt8] {
    var builder = EBMLBuilder()
    builder.master(.info) {
      $0.unsigned(.timestampScale, timestampScale)
      $0.text(.title, ifAny: title)
      $0.text(.muxingApp, muxingApp)
      $0.text(.writingApp, writingApp)
      $0.float(.duration, ticks)
    }
    return builder.bytes
  }
}

extension MediaTime {
  /// Ticks a second of times in nanoseconds.
  static let nanosecondRate: Int64 = 1_000_000_000

  /// A time of whole nanoseconds.
  package static func nanoseconds(_ count: Int64) -> MediaTime {
    MediaTime(ticks: count, rate: nanosecondRate)
  }

  /// The nearest nanosecond, halves upwards.
  package var nanoseconds: Int64 { units(nanoseconds: 1) }

  /// The nearest whole number of units that last `nanoseconds`, halves upwards, so that equal distances stay equal at and below
  /// zero; saturated to Int64.
  func units(nanoseconds scale: Int64) -> Int64 {
    let divisor = Int128(rate) * Int128(max(1, scale))
    let doubled = 2 * Int128(ticks) * Int128(MediaTime.nanosecondRate) + divisor
    let (quotient, rest) = doubled.quotientAndRemainder(dividingBy: 2 * divisor)
    return Int64(clamping: rest < 0 ? quotient - 1 : quotient)
  }

  /// The time in units that last `nanoseconds`, with its fraction.
  func exactUnits(nanoseconds scale: Int64) -> Double {
    let divisor = Int128(rate) * Int128(max(1, scale))
    let (quotient, rest) = (Int128(ticks) * Int128(MediaTime.nanosecondRate))
      .quotientAndRemainder(dividingBy: divisor)
    return Double(quotient) + Double(rest) / Double(divisor)
  }
}
