import AudioCore
import IAMF
import LibAV

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
  /// What they say.
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
