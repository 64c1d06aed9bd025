// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import MediaIn
import MediaOut

/// Feeds a video track's pictures, as they are, to the writer.
final class CopiedVideo: CodedTrack {
  let name: String
  let facts: OutputTrackFacts
  private let survey: VideoSurvey
  private let reader: VideoTrackReader
  private let factor: Int64

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
    let times = [survey.start, survey.end, survey.firstDecode, survey.shift]
    let (farthest, isFar) = (times.map(\.magnitude).max() ?? 0).multipliedReportingOverflow(
      by: factor.magnitude)
    // Sums and differences of such times still fit into 64 bits.
    guard !isFar, farthest < 1 << 60 else {
      throw MediaError(
        .damaged, about: media.file.path,
        "the times of its pictures are damaged; \(setting: .video) drop leaves them out")
    }
    self.factor = factor
    var facts = OutputTrackFacts(
      .pictures, .pictures(survey.entry), timescale: Int(scale),
      priming: (survey.start - survey.firstDecode) * factor,
      length: (survey.end - survey.start) * factor,
      startOffset: max(
        0,
        clock.time(
          survey.start + survey.shift, numerator: base.numerator, denominator: base.denominator,
          timescale: scale)))
    facts.mostSamples = survey.count
    facts.grid = survey.grid * factor
    let isSteady = (survey.end - survey.start) / survey.grid == survey.count
    facts.frame = isSteady ? Int(exactly: facts.grid) : nil
    facts.language = survey.stream.language ?? ""
    facts.name = title
    facts.picture = OutputTrackFacts.Picture(
      width: survey.size.width, height: survey.size.height,
      displayMatrix: survey.stream.picture?.displayMatrix)
    self.facts = facts
  }

  func next() throws -> MediaSample? {
    guard let picture = try reader.next() else { return nil }
    return MediaSample(
      data: picture.data, decodeTime: (picture.decodeTime - survey.firstDecode) * factor,
      duration: max(1, picture.duration) * factor,
      compositionOffset: (picture.presentationTime - picture.decodeTime) * factor,
      isSync: picture.isKey)
  }
}

/// Pictures from the first one on that can be shown by itself, for a container that can't hide what is decoded before the
/// presentation begins.
final class ShownPictures: CodedTrack {
  private let source: any CodedTrack
  /// When the first picture that is handed out is shown, in ticks from the presentation's zero; `nil` before it.
  private(set) var first: Int64?
  /// Pictures that were left out.
  private(set) var leftOut = 0

  init(_ source: any CodedTrack) { self.source = source }

  var name: String { source.name }
  var facts: OutputTrackFacts { source.facts }

  func next() throws -> MediaSample? {
    while let sample = try source.next() {
      let shown =
        facts.startOffset + sample.decodeTime + sample.compositionOffset - facts.priming
      if first == nil, sample.isSync, shown >= 0 { first = shown }
      // Pictures of an open group need those before the key frame.
      if let first, shown >= first { return sample }
      leftOut += 1
    }
    return nil
  }
}

/// Feeds an audio track's coded frames, as they are, to the writer; the presentation of the first begins at `start`, in ticks of the track.
final class CopiedAudio: CodedTrack {
  let name: String
  let facts: OutputTrackFacts
  private let survey: CodedAudioSurvey
  private let reader: CodedAudioReader

  init(
    survey: CodedAudioSurvey, title: String?, start: Int64, roles: OutputTrackFacts.Roles = .main,
    options: InputOptions
  ) throws {
    self.survey = survey
    name = "\(survey.path): its audio"
    reader = try survey.makeReader(options: options)
    var facts = OutputTrackFacts(
      .sound, CopiedAudio.coding(survey), timescale: Int(survey.timescale),
      priming: survey.mediaTime, length: survey.validDuration, startOffset: start)
    facts.mostSamples = survey.count
    if survey.coding == .aac {
      facts.rollDistance = AudioEncoding.aac.traits.rollDistance(frame: 1024)
    }
    facts.roles = roles.union(OutputTrackFacts.Roles(marking: survey.stream))
    facts.language = survey.stream.language ?? ""
    facts.name = title
    self.facts = facts
  }

  private static func coding(_ survey: CodedAudioSurvey) -> TrackCoding {
    let facts = survey.facts
    let sound = TrackCoding.CodedSound(
      configuration: facts.configuration, channels: facts.channels, sampleRate: facts.sampleRate)
    switch survey.coding {
    case .iamf: return .iamf(configuration: facts.configuration)
    case .mpegH(let form): return .mpegH(form, sound)
    case .aac: return .aac(sound)
    case .dolby(let coding): return .dolby(coding, sound)
    }
  }

  func next() throws -> MediaSample? {
    guard let unit = try reader.next() else { return nil }
    return MediaSample(
      data: unit.data, decodeTime: unit.time - survey.firstTime, duration: unit.duration,
      isSync: unit.isSync)
  }
}

/// The one clock of an output with several tracks. Its zero is where the earliest track begins, moved
/// back by less than a sample where that is needed for the sound to begin on a sample: all starts are
/// then exact, in the sound's samples and in each other track's ticks.
struct PresentationClock {
  /// Samples by which the sound begins late.
  let audioOffset: Int64
  /// Zero on the source's clock, in ticks of ``base``.
  private let zero: Int64
  private let base: Int64
  /// Samples a second of the output.
  private let rate: Int64

  /// - Parameters:
  ///   - audioStart: where output sample 0 lies on the source's clock, in samples of the source.
  ///   - sourceRate: samples a second of the source.
  ///   - rate: samples a second of the output.
  ///   - others: where the other tracks begin on the source's clock.
  init(audioStart: Int64, sourceRate: Int, rate: Int, others: [MediaTime]) {
    self.rate = Int64(rate)
    base = MediaTime.leastCommonMultiple(Int64(sourceRate), Int64(rate))
    // Damaged times saturate; no film reaches these bounds.
    let bounds: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
    let start = MediaTime.rescale(audioStart, by: base, over: Int64(sourceRate)).clamped(to: bounds)
    let step = base / Int64(rate)
    var offset: Int64 = 0
    for other in others where other < MediaTime(ticks: start, rate: base) {
      var earliest = MediaTime.rescale(other.ticks, by: base, over: other.rate)
        .clamped(to: bounds)
      // Rounding to the nearest tick may give a time that is a tick late.
      if other < MediaTime(ticks: earliest, rate: base) { earliest -= 1 }
      offset = max(offset, (start - earliest + step - 1) / step)
    }
    audioOffset = offset
    zero = start - offset * step
  }

  /// A clock whose zero is the source's own, so that no time of another track changes; the sound begins at the nearest sample.
  ///
  /// `audioStart` isn't below zero.
  init(keepingZero audioStart: Int64, sourceRate: Int, rate: Int) {
    self.rate = Int64(rate)
    base = MediaTime.leastCommonMultiple(Int64(sourceRate), Int64(rate))
    audioOffset = MediaTime.rescale(audioStart, by: Int64(rate), over: Int64(sourceRate))
      .clamped(to: 0...(1 << 60))
    zero = 0
  }

  /// Time of the sound's output sample 0 on this clock.
  var soundStart: MediaTime { MediaTime(ticks: audioOffset, rate: rate) }

  /// A time on the source's clock as a time since zero; exact where 64 bits hold it.
  func time(_ time: MediaTime) -> MediaTime { time + -MediaTime(ticks: zero, rate: base) }

  /// Ticks a second in which a track whose source counts in `numerator / denominator` seconds has
  /// exact times; the source's own denominator, or a multiple, where 32 bits don't suffice.
  func timescale(numerator: Int64, denominator: Int64) -> Int64 {
    let exact = MediaTime.leastCommonMultiple(denominator, base)
    guard exact > Int64(UInt32.max) else { return exact }
    return max(1, Int64(UInt32.max) / denominator) * denominator
  }

  /// `ticks` of `numerator / denominator` seconds on the source's clock as ticks of `timescale`
  /// since zero.
  func time(_ ticks: Int64, numerator: Int64, denominator: Int64, timescale: Int64) -> Int64 {
    let bounds: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
    let (factor, isFar) = numerator.multipliedReportingOverflow(by: timescale)
    return MediaTime.rescale(ticks, by: isFar ? .max : factor, over: denominator)
      .clamped(to: bounds)
      - MediaTime.rescale(zero, by: timescale, over: base).clamped(to: bounds)
  }
}

extension Int64 {
  /// The nearest value in `range`.
  func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
