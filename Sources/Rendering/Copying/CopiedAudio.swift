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

  init(survey: CodedAudioSurvey, clock: PresentationClock, options: InputOptions) throws {
    self.survey = survey
    name = "\(survey.path): its audio"
    reader = try survey.makeReader(options: options)
    do {
      track = MovieTrack(
        kind: .audio, timescale: Int(survey.timescale),
        sampleEntry: try DolbySampleEntry(
          survey.coding, configuration: survey.facts.configuration, channels: survey.facts.channels,
          sampleRate: survey.facts.sampleRate
        ).encoded,
        language: survey.stream?.language ?? "", mediaTime: survey.mediaTime,
        validDuration: survey.validDuration, startOffset: clock.audioOffset)
    } catch let error as BoxError {
      throw MediaError(.damaged, "its codec configuration can't be used (\(error))")
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
