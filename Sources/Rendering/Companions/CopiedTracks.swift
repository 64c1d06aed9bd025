import AudioCore
import ISOBMFF
import MediaIn
import MediaOut
import Verify

/// Feeds a video track's pictures, as they are, to the writer; keeps a digest of them.
final class CopiedVideo: CodedTrack {
  let name: String
  let track: MovieTrack
  let survey: VideoSurvey
  private let reader: VideoTrackReader
  private let factor: Int64
  private var sum = PCMDigest()
  /// Pictures handed out.
  private(set) var count = 0

  /// SHA-256 of the samples handed out so far, one after the other.
  var digest: String { sum.hexadecimal }

  init(
    media: MediaFile, survey: VideoSurvey, title: String?, clock: PresentationClock,
    options: InputOptions
  ) throws {
    self.survey = survey
    name = "\(media.file.path): video stream \(survey.stream.index)"
    reader = try VideoTrackReader(file: media.file, survey: survey, options: options)
    let base = survey.stream.timeBase
    let scale = clock.timescale(numerator: base.numerator, denominator: base.denominator)
    // The writer's ticks are as fine as the source's or a multiple of them.
    let factor = scale / base.denominator * base.numerator
    self.factor = factor
    var track = MovieTrack(
      kind: .video, timescale: Int(scale), sampleEntry: survey.entry.bytes,
      language: survey.stream.language ?? "",
      mediaTime: (survey.start - survey.firstDecode) * factor,
      validDuration: (survey.end - survey.start) * factor,
      startOffset: max(
        0,
        clock.time(
          survey.start + survey.shift, numerator: base.numerator, denominator: base.denominator,
          timescale: scale)),
      width: survey.size.width, height: survey.size.height,
      displayMatrix: survey.stream.picture?.displayMatrix)
    track.title = title
    self.track = track
  }

  func next() throws -> MediaSample? {
    guard let picture = try reader.next() else { return nil }
    count += 1
    picture.data.withUnsafeBytes { sum.update($0) }
    return MediaSample(
      data: picture.data, decodeTime: (picture.decodeTime - survey.firstDecode) * factor,
      duration: max(1, picture.duration) * factor,
      compositionOffset: (picture.presentationTime - picture.decodeTime) * factor,
      isSync: picture.isKey)
  }
}
