// SPDX-License-Identifier: Apache-2.0
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

  /// Description of the sequence that the last unit belongs to.
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

  /// Findings so far.
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

/// The temporal units of an IAMF track as MP4 holds them, from MP4 and from files without a container.
///
/// Times are counted by the units themselves, whatever the tables of a container say.
final class IAMFCopyUnits: AccessUnitSource {
  let timescale: Int64
  let origin: (ticks: Int64, rate: Int64)
  /// Samples in front that the units trim.
  let lead: Int64
  /// The bytes of the descriptors.
  let descriptors: [UInt8]
  /// Description that the descriptors give.
  let description: SequenceDescription

  private let path: String
  private let log: DiagnosticLog
  private let units: IAMFUnits
  private let mix: PlayableMix
  private var time: Int64 = 0

  /// The units of `stream`, at the first one.
  /// - Throws: ``MediaError`` where nothing can be played.
  init(_ stream: StreamInfo, of media: MediaFile, log: DiagnosticLog) throws {
    path = media.file.path
    self.log = log
    do {
      units = try IAMFUnits(stream, of: media, keepsBytes: true)
      description = units.description
      guard let mix = description.playableMixes.first else {
        throw MediaError(.unsupportedFeature, about: path, "holds no mix that can be played")
      }
      self.mix = mix
      lead = try IAMFCopyUnits.lead(stream, of: media, mix)
    } catch let error as IAMFError {
      throw IAMFTrackReader.failure(error, of: media.file)
    }
    descriptors = units.descriptors
    timescale = Int64(mix.sampleRate)
    origin = (0, timescale)
  }

  func next() throws -> AccessUnit? {
    let before = units.findings
    do {
      guard let unit = try units.next() else {
        units.findings.reportLost(to: log)
        return nil
      }
      guard unit.sequence == 0 else {
        throw MediaError(
          .unsupportedFeature, about: path,
          "holds several sequences, which \(setting: .codec) copy can't join; choose another \(setting: .codec)"
        )
      }
      let samples = description.samples(of: unit, mix) ?? mix.samplesPerFrame
      let trim = unit.trim(description.neededSubstreams)
      let found = units.findings
      defer { time += Int64(samples) }
      return AccessUnit(
        data: unit.stored, time: time, duration: Int64(max(1, samples - trim.end)), isSync: true,
        isDamaged: found.missingFrames > before.missingFrames
          || found.emptyFrames > before.emptyFrames)
    } catch let error as IAMFError {
      throw damage(error.reason)
    }
  }

  private func damage(_ what: String) -> MediaError {
    MediaError(
      .damaged, about: path,
      "\(what), which a copy can't repair; render it with another \(setting: .codec) and \(setting: .damage) conceal"
    )
  }

  /// Samples that the first units trim.
  private static func lead(
    _ stream: StreamInfo, of media: MediaFile, _ mix: PlayableMix
  ) throws -> Int64 {
    // The units are read once more, by a reader of their own.
    let media = try MediaFile(file: media.file)
    let units = try IAMFUnits(stream, of: media)
    var lead: Int64 = 0
    while let unit = try units.next() {
      let samples = units.description.samples(of: unit, mix) ?? mix.samplesPerFrame
      let start = min(unit.trim(units.description.neededSubstreams).start, samples)
      lead += Int64(start)
      if start < samples { break }
    }
    return lead
  }
}
