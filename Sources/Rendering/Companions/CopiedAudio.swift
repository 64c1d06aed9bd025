import AudioCore
import ISOBMFF
import MediaIn
import MediaOut
import Verify

/// Feeds an audio track's coded frames, as they are, to the writer; keeps a digest of them.
final class CopiedAudio: CodedTrack {
  let name: String
  let track: MovieTrack
  let survey: CodedAudioSurvey
  private let reader: CodedAudioReader
  private var sum = PCMDigest()
  /// Frames handed out.
  private(set) var count = 0

  /// SHA-256 of the frames handed out so far, one after the other.
  var digest: String { sum.hexadecimal }

  init(
    survey: CodedAudioSurvey, title: String?, clock: PresentationClock, options: InputOptions
  ) throws {
    self.survey = survey
    name = "\(survey.path): its audio"
    reader = try survey.makeReader(options: options)
    do {
      var track = MovieTrack(
        kind: .audio, timescale: Int(survey.timescale),
        sampleEntry: try CopiedAudio.sampleEntry(survey),
        language: survey.stream.language ?? "", mediaTime: survey.mediaTime,
        validDuration: survey.validDuration, startOffset: clock.audioOffset)
      track.title = title
      self.track = track
    } catch let error as BoxError {
      throw MediaError(.damaged, "its codec configuration can't be used (\(error))")
    }
  }

  /// What files with the track conform to besides the usual.
  var brands: [String] { survey.coding == .iamf ? ["iamf"] : [] }

  private static func sampleEntry(_ survey: CodedAudioSurvey) throws -> [UInt8] {
    let facts = survey.facts
    switch survey.coding {
    case .iamf: return IAMFSampleEntry(configuration: facts.configuration).encoded
    case .mpegH(let form):
      return try MPEGHSampleEntry(
        form, configuration: facts.configuration, channels: facts.channels,
        sampleRate: facts.sampleRate
      ).encoded
    case .dolby(let coding):
      return try DolbySampleEntry(
        coding, configuration: facts.configuration, channels: facts.channels,
        sampleRate: facts.sampleRate
      ).encoded
    }
  }

  func next() throws -> MediaSample? {
    guard let unit = try reader.next() else { return nil }
    count += 1
    unit.data.withUnsafeBytes { sum.update($0) }
    return MediaSample(
      data: unit.data, decodeTime: unit.time - survey.firstTime, duration: unit.duration,
      isSync: unit.isSync)
  }
}
