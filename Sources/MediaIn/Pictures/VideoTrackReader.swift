// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Reads the pictures of a surveyed video track in decoding order, without decoding them.
package final class VideoTrackReader {
  private let survey: VideoSurvey
  private let media: MediaFile
  private let framing: NALFraming
  private let packet: Packet
  private var clock: DecodeClock
  private var index = 0

  /// Opens the file a second time, so that pictures and sound can be read independently.
  /// - Throws: ``MediaError`` as ``MediaFile`` does.
  package init(file: LocalFile, survey: VideoSurvey, options: InputOptions) throws {
    self.survey = survey
    media = try MediaFile(file: file, options: options)
    media.container?.select(streams: [survey.stream.index])
    framing = NALFraming(
      codec: survey.stream.codec, extradata: survey.stream.extradata, entry: survey.entry)
    packet = try Packet()
    clock = DecodeClock(stream: survey.stream)
  }

  /// The next picture; `nil` behind the last.
  /// - Throws: ``MediaError`` when the file holds fewer packets than the survey found, or other ones.
  package func next() throws -> CodedPicture? {
    while index < survey.skipped + survey.count {
      guard try read() else {
        throw MediaError(
          .inputUnreadable, about: media.file.path, "its video ends early; was the file changed?")
      }
      guard packet.streamIndex == survey.stream.index else { continue }
      index += 1
      let times = try clock.times(of: packet)
      guard index > survey.skipped else { continue }
      return CodedPicture(
        data: try framing.sample(packet.bytes()), decodeTime: times.decode,
        presentationTime: times.shown,
        duration: packet.duration, isKey: packet.isKey)
    }
    return nil
  }

  private func read() throws -> Bool {
    do { return try media.opened().read(into: packet) } catch is LibAVError { return false }
  }
}

/// One coded picture in the form MP4 wants, with its times in ticks of its stream.
package struct CodedPicture: Sendable, Equatable {
  /// Its bytes.
  package let data: [UInt8]
  /// Decoding time, in ticks.
  package let decodeTime: Int64
  /// Presentation time on the stream's own clock, in ticks.
  package let presentationTime: Int64
  /// Duration in ticks; 0 when unknown.
  package let duration: Int64
  /// Whether decoding may begin here.
  package let isKey: Bool
}

/// Brings the packets of a video codec into the form that MP4 wants (ISO/IEC 14496-15, 4.3.3): a length
/// before each NAL unit instead of a start code, and no parameter set that the sample entry already holds.
/// Packets that have this form stay as they are.
struct NALFraming {
  private enum Form { case asStored, avcStartCodes, hevcStartCodes, obuStream }

  private let form: Form
  private let known: Set<[UInt8]>

  /// - Parameters:
  ///   - codec: libav's codec name.
  ///   - extradata: codec header of the source, which shows the form of its packets.
  ///   - entry: the sample entry that the output will have.
  init(codec: String, extradata: [UInt8], entry: VisualSampleEntry) {
    known = Set(entry.parameterSets?.units ?? [])
    switch codec {
    case "h264": form = extradata.first == 1 ? .asStored : .avcStartCodes
    case "hevc": form = NALFraming.hasStartCode(extradata) ? .hevcStartCodes : .asStored
    case "av1": form = .obuStream
    default: form = .asStored
    }
  }

  /// The packet as a sample of MP4.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when a parameter set differs from the
  ///   sample entry's.
  func sample(_ packet: [UInt8]) throws -> [UInt8] {
    switch form {
    case .asStored: return packet
    case .obuStream:
      // MP4 samples leave out the temporal delimiter, an OBU of these two bytes (AV1 in ISOBMFF, 2.4).
      return packet.starts(with: [0x12, 0x00]) ? Array(packet.dropFirst(2)) : packet
    case .avcStartCodes, .hevcStartCodes:
      var sample: [UInt8] = []
      sample.reserveCapacity(packet.count + 16)
      for range in NALFraming.units(packet) where try !isKnownSet(packet[range]) {
        let size = UInt32(clamping: range.count)
        sample.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
        sample.append(contentsOf: packet[range])
      }
      return sample
    }
  }

  /// Whether a unit is a parameter set, which then must be one of the sample entry's.
  private func isKnownSet(_ unit: ArraySlice<UInt8>) throws -> Bool {
    guard let head = unit.first else { return true }
    // H.264: SPS, PPS, SPS extension, subset SPS. H.265: VPS, SPS, PPS.
    let isSet =
      form == .avcStartCodes
      ? [7, 8, 13, 15].contains(head & 0x1F) : (32...34).contains(head >> 1 & 0x3F)
    guard isSet else { return false }
    guard known.contains(Array(unit)) else {
      throw MediaError(
        .unsupportedFeature, "its parameter sets change in mid-stream, which one track can't hold")
    }
    return true
  }

  private static func hasStartCode(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty || bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
  }

  /// Ranges of the NAL units between start codes (ITU-T H.264 and H.265, annex B).
  static func units(_ bytes: [UInt8]) -> [Range<Int>] {
    var starts: [(code: Int, unit: Int)] = []
    bytes.withUnsafeBufferPointer { data in
      var index = 0
      while index + 2 < data.count {
        if data[index + 2] > 1 {
          index += 3
        } else if data[index] == 0, data[index + 1] == 0, data[index + 2] == 1 {
          starts.append((index, index + 3))
          index += 3
        } else {
          index += 1
        }
      }
    }
    return starts.indices.compactMap { number in
      var end = number + 1 < starts.count ? starts[number + 1].code : bytes.count
      while end > starts[number].unit, bytes[end - 1] == 0 { end -= 1 }
      return end > starts[number].unit ? starts[number].unit..<end : nil
    }
  }
}
