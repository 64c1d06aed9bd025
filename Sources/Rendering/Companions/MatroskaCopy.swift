// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska
import MediaIn
import MediaOut
import Platform
import Report

/// Writes all of a Matroska file that is wanted into another one as it is: sound of any codec, and everything beside it.
struct MatroskaCopy {
  let docType: MatroskaDocType
  let clip: Clip
  let output: OutputRequest
  let overwrite: Bool
  let target: OutputTarget
  let log: DiagnosticLog
  let tell: (RenderProgress) throws -> Void

  /// Writes the output, reads it back and compares it.
  /// - Throws: ``MediaError`` when the file isn't Matroska or whole, or the copy isn't as meant.
  func run(_ input: MediaInput, _ file: LocalFile) throws -> CopyRunner.Result {
    let media = try MediaFile(file: file, options: input.decoding(clip.decoding))
    let sound = try sound(media)
    let companions = try Companions(
      clip: clip, output: output, media: media,
      audio: Companions.Place(start: 0, origin: 0, sourceRate: 1000, rate: 1000, length: nil),
      log: log)
    guard let originals = companions.originals, originals.hasTracks else {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "isn't a whole file of Matroska with codecs of \(name) alone, which \(setting: .codec) copy takes for \(name); use "
          + "\(setting: .container) mp4, or leave \(setting: .codec) copy out")
    }
    try target.reserve(companions, input: .media(input), overwrite: overwrite)
    LeftOut(files: OutputFiles(output), carriage: output.carriage, log: log).note(
      media.streams, of: input.presentation, chapters: 0, carried: companions.carried,
      heard: [sound.index])
    guard let copies = try companions.makeCopies().first else {
      throw MediaError(.internal, about: target.name, "no tracks to copy")
    }
    let written = MultiplexedFile(
      sink: DescriptorSink(descriptor: target.descriptor, name: target.name),
      tracks: [copies] + (try companions.plainTexts(docType)))
    try write(written, companions, originals, copies)
    try TracksProof(target: target, files: [written], kind: OutputFiles(output).kind).check()
    return result(media, sound, companions, copies)
  }

  private var name: String { OutputFiles(output).kind.traits.name }

  /// The track of sound that the report is about: the first of several that are chosen.
  private func sound(_ media: MediaFile) throws -> StreamInfo {
    let (choice, path) = (clip.decoding.track, media.file.path)
    guard choice.namesSeveral,
      let first = try choice.numbers(among: media.streams, path: path).first
    else { return try choice.pick(from: media.streams, path: path, log: log) }
    return try TrackChoice.index(first).pick(from: media.streams, path: path, log: log)
  }

  private func write(
    _ file: MultiplexedFile, _ companions: Companions, _ originals: MatroskaOriginals,
    _ copies: CarriedTracks
  ) throws {
    let (keepsTimes, chapters) = (companions.keepsTimes, companions.chapters)
    var texts = TrackTexts()
    texts.maker = "Pinna \(PinnaVersion.text)"
    var parts = originals.parts
    if !keepsTimes {
      parts.chapters = nil
      texts.chapters = chapters
    }
    if let title = originals.title { texts.tags = MediaTags([("title", title)]) }
    let multiplexer = try Multiplexer(files: [file], pushed: nil) { sink, tracks in
      try MatroskaWriter(
        sink: sink, tracks: tracks, texts: texts, parts: parts, as: docType, name: target.name)
    }
    let length = Int64(originals.duration * 1000)
    try multiplexer.finish { _ in
      try tell(
        RenderProgress(
          pass: .finish, done: min(length, copies.reached.samples(at: 1000)), total: length,
          sampleRate: 1000))
    }
  }

  private func result(
    _ media: MediaFile, _ sound: StreamInfo, _ companions: Companions, _ copies: CarriedTracks
  ) -> CopyRunner.Result {
    let rate = sound.sound.sampleRate
    let accounts = copies.accounts
    let place = companions.originals?.place(of: sound)
    let length = Int64((companions.originals?.duration ?? 0) * Double(rate))
    let samples =
      place.flatMap {
        MatroskaCopy.samples(
          accounts[$0], frame: sound.sound.frameSize, rate: rate,
          delay: companions.originals?.entries[$0].codecDelay.nanoseconds ?? 0, length: length)
      } ?? length
    let layout = sound.sound.layout.map { "\($0)" } ?? "\(sound.sound.channels) channels"
    var input = RenderReport.Input(
      path: clip.input.name, container: media.format.token, stream: sound.index,
      codec: sound.codec, profile: sound.profile, layout: layout, rate: rate,
      language: sound.language, dialnorm: nil, drc: nil, objects: .unknown)
    input.timeline = RenderReport.Timeline(
      priming: RenderReport.Timeline.Priming(samples: 0, source: .unknown), padding: 0,
      paddingSource: .unknown, start: RenderReport.Timeline.Start(samples: 0, rate: rate),
      samplesIn: samples, samplesOut: samples, gaps: [])
    var output = RenderReport.Output(
      path: target.name, format: docType.rawValue, endpoint: .none,
      samples: samples, pcmSHA256: place.flatMap { accounts[$0].digest } ?? "", verified: true,
      gainDB: 0, integrated: nil, truePeak: nil)
    output.tracks = companions.report(accounts)
    return CopyRunner.Result(input: input, output: output)
  }

  /// Samples of a copied track by its packets: pictures may go on after it, and the file's duration is that of the longest track.
  /// `nil` for fewer than two packets.
  private static func samples(
    _ account: TrackAccount, frame: Int, rate: Int, delay: Int64, length: Int64
  ) -> Int64? {
    guard account.count > 1, let first = account.instants.min(), let last = account.instants.max(),
      last > first
    else { return nil }
    let left = Double(delay) + Double(account.paddings.reduce(0, &+))
    func counted(_ nanoseconds: Double) -> Int64 {
      Int64(max(0, min(1e15, (nanoseconds - left) * Double(rate) / 1e9)).rounded())
    }
    let step = (Double(last) - Double(first)) / Double(account.count - 1)
    let estimate = counted(step * Double(account.count))
    let frames = counted(Double(account.count) * Double(frame) * 1e9 / Double(max(1, rate)))
    // Times are of milliseconds; a length of frames that fits them is exact, but for the last frame of a lossless codec.
    guard (frames - estimate).magnitude <= UInt64(rate / 250) else { return estimate }
    return length < frames && frames - length < Int64(frame) ? length : frames
  }
}
