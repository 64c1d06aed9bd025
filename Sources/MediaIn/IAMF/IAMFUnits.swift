import AudioCore
import IAMF
import LibAV
import Platform

/// The temporal units of an IAMF track, from a raw file or from the samples of MP4.
final class IAMFUnits {
  private enum Source {
    case raw(RawSequenceReader)
    case samples(SampleUnitReader, Packet)
  }

  /// What the sequence holds that the last unit belongs to.
  private(set) var description: SequenceDescription
  private let media: MediaFile
  private let stream: StreamInfo
  private var source: Source

  /// The bytes of the descriptors of the first sequence.
  let descriptors: [UInt8]

  /// The units of `stream`, at the first one.
  /// - Parameter keepsBytes: whether units keep the bytes that a sample of MP4 has of them.
  /// - Throws: ``IAMFError`` where nothing can be played.
  init(_ stream: StreamInfo, of media: MediaFile, keepsBytes: Bool = false) throws {
    (self.stream, self.media) = (stream, media)
    if let box = media.track(of: stream)?.iamf?.box {
      descriptors = try ConfigurationBox(box).configOBUs
      description = try SequenceDescription(configOBUs: descriptors)
      source = .samples(SampleUnitReader(description, keepsBytes: keepsBytes), try Packet())
      media.container?.select(stream: stream.index)
    } else {
      let file = media.file
      let reader = try RawSequenceReader(size: file.size, keepsBytes: keepsBytes) {
        file.bytes(at: $0, count: $1)
      }
      descriptors = reader.descriptors
      description = reader.description
      source = .raw(reader)
    }
  }

  /// What was met so far.
  var findings: UnitFindings {
    switch source {
    case .raw(let reader): reader.findings
    case .samples(let reader, _): reader.findings
    }
  }

  /// The next unit; `nil` at the end.
  /// - Throws: ``IAMFError`` or ``MediaError`` where reading fails or another sequence can't be played.
  func next() throws -> TemporalUnit? {
    switch source {
    case .raw(var reader):
      let unit = try reader.next()
      source = .raw(reader)
      description = reader.description
      return unit
    case .samples(var reader, let packet):
      defer { source = .samples(reader, packet) }
      while true {
        repeat {
          guard try media.readWhole(packet) else { return nil }
        } while packet.streamIndex != stream.index
        if let unit = reader.unit(packet.bytes()) { return unit }
      }
    }
  }
}

extension UnitFindings {
  /// Reports bytes at the end that belong to no whole unit, and units that can't be read.
  func reportLost(to log: DiagnosticLog) {
    if lostBytes > 0 {
      log.degrade(.truncated, "the last \(lostBytes) bytes belong to no whole unit")
    }
    if unreadableUnits > 0 {
      log.degrade(.garbageSkipped, "\(unreadableUnits) units of the bitstream can't be read")
    }
  }
}
