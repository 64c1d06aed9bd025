// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaOut
import Platform
import Signal
import Spatial

/// The rules that a request must satisfy before anything is opened.
package enum RequestRules {
  /// Checks one request.
  /// - Throws: ``MediaError`` of kind `usage` that names the option as the command line spells it.
  static func check(_ request: RenderRequest) throws {
    guard !request.outputs.isEmpty else { throw MediaError(.usage, "no output: give one with -o") }
    guard let clip = request.clips.first, request.clips.count == 1 else {
      throw MediaError(
        .unsupportedFeature,
        "\(request.clips.count) inputs can't be joined to one programme in this version; render each "
          + "by itself")
    }
    try clip.decoding.check()
    try checkNames([request])
    for output in request.outputs {
      switch output.location {
      case .file(let path):
        try OutputExtension(path).check(OutputFiles(output).kind)
        continue
      case .standardStream: continue
      case .silence, .queue: break
      }
      throw MediaError(.usage, about: output.location.name, "can't be written to; give a file")
    }
    for output in request.outputs {
      switch output.work {
      case .render(let rendition, let container):
        try check(rendition)
        try check(container)
        try check(container, rendition.endpoint)
        try check(output.carriage, OutputFiles(output))
      case .copy(let container):
        try checkCopies(into: container.kind)
        try checkCopy(clip, outputs: request.outputs.count)
      }
      try checkDuration(OutputFiles(output))
      if let items = output.items { try check(items, output) }
      guard output.part == nil || output.analysisFiles.isEmpty else {
        throw MediaError(
          .usage,
          "\(setting: .analysis): describes one track, but several go into the file; give one as \(setting: .track)"
        )
      }
      try checkChapters(output)
    }
    if request.sharesGain { try checkShared(request) }
    if let gain = clip.dialogueGain {
      try Setting.dialogueLift.check(gain, shownAs: Decibels.text(gain))
    }
    if let levelling = request.levelling { try check(levelling, request) }
    try checkDialogue(request)
  }

  /// Levelling boosts, so that something has to hold the peaks.
  private static func check(_ levelling: LevelRequest, _ request: RenderRequest) throws {
    if let range = levelling.range {
      try Setting.levelRange.check(range, shownAs: Decibels.text(range))
    }
    guard request.outputs.allSatisfy({ $0.rendition?.level != nil }) else {
      throw MediaError(
        .usage,
        "\(setting: .levelling): needs a loudness target; give \(setting: .loudness) in LUFS")
    }
    let targets = request.outputs.compactMap { $0.rendition?.level }
    guard targets.allSatisfy({ $0.mode == .measured }) else {
      throw MediaError(
        .usage,
        "\(setting: .levelling): the loudness that a file states isn't that of levelled sound; use \(setting: .loudnessMode) measured"
      )
    }
    guard targets.allSatisfy({ $0.peakPolicy != .fail }) else {
      throw MediaError(
        .usage,
        "\(setting: .levelling): raises peaks; use \(setting: .peakPolicy) limit or lower")
    }
  }

  /// Dialogue is looked for in the sound of one input, and channels are mixed there.
  private static func checkDialogue(_ request: RenderRequest) throws {
    let clip = request.clips[0]
    let change =
      clip.dialogueGain.map { _ in Setting.dialogueLift } ?? clip.matrix.map { _ in .downmix }
    switch clip.input {
    case .file, .standardStream: return
    case .silence, .queue: if let change { throw unchangeable(change) }
    }
  }

  /// Refuses the changes to an input that turns out to be a queue which its items can't have.
  static func checkQueue(_ request: RenderRequest) throws {
    let clip = request.clips[0]
    if clip.dialogueGain != nil { throw unchangeable(.dialogueLift) }
    if clip.matrix != nil { throw unchangeable(.downmix) }
    // One curve for all items depends on each of them.
    guard request.levelling != nil, request.policy.segments?.unchangedBefore != nil else { return }
    throw MediaError(
      .usage,
      "\(setting: .levelling): a change anywhere may change the gain everywhere; leave it or \(setting: .unchangedBefore) out"
    )
  }

  /// The refusal of a queue or silence whose dialogue or channels would have to be changed.
  private static func unchangeable(_ asked: Setting) -> MediaError {
    MediaError(
      .unsupportedFeature,
      "\(setting: asked): isn't possible in queues and silence; render the items one by one, or leave it out"
    )
  }

  private static func check(_ rendition: Rendition) throws {
    if let rate = rendition.sampleRate {
      try check(sampleRate: rate, called: "\(setting: .sampleRate)")
    }
    if case .gain(let gain) = rendition.lfe {
      try Setting.lfeGain.check(gain, shownAs: Decibels.text(gain))
    }
    if case .speakers(let pair) = rendition.endpoint {
      try Setting.speakerSpan.check(pair.span, shownAs: Decibels.text(pair.span))
    }
    if case .headphones(let listener) = rendition.endpoint, case .still(let pose) = listener.head {
      for (setting, angle) in [(Setting.yaw, pose.yaw), (.pitch, pose.pitch), (.roll, pose.roll)] {
        try setting.check(angle, shownAs: Decibels.text(angle))
      }
    }
    if let hrtf = rendition.endpoint.hrtf { try HRTFLoader.check(hrtf) }
    try rendition.level?.validate()
  }

  /// Refuses a sample rate that nothing is rendered at; `name` is that of the option.
  package static func check(sampleRate rate: Int, called name: String) throws {
    let rates = AudioFormat.sampleRates
    guard !rates.contains(rate) else { return }
    throw MediaError(
      .usage,
      "\(name) \(rate): give a sample rate between \(rates.lowerBound) and \(rates.upperBound) Hz")
  }

  private static func check(_ container: Container) throws {
    let coding = container.coding
    try check(coding.codec, isIAMF: coding.iamf != nil, in: container.kind)
    try check(coding.encoding, of: coding.codec, in: container.kind)
    guard !coding.isForMediaSource || coding.codec == .opus else { throw strayOpusTarget }
  }

  /// Precedes the codec of the substreams of IAMF in names of codecs.
  package static let iamfPrefix = "iamf-"

  /// The codecs that a container takes, by themselves or in IAMF.
  package static func codecs(of kind: ContainerKind, isIAMF: Bool) -> [AudioEncoding] {
    let output = kind.traits.output
    guard isIAMF, kind != .iamf else { return output?.codecs ?? [] }
    return output?.takesIAMF == true ? ContainerTraits.iamf.output?.codecs ?? [] : []
  }

  /// Refuses a codec that the container doesn't hold.
  package static func check(_ codec: AudioEncoding, isIAMF: Bool, in kind: ContainerKind) throws {
    guard !codecs(of: kind, isIAMF: isIAMF).contains(codec) else { return }
    let iamf = kind == .iamf ? [] : codecs(of: kind, isIAMF: true)
    let names =
      codecs(of: kind, isIAMF: false).map(\.rawValue) + iamf.map { iamfPrefix + $0.rawValue }
    let held = names.joined(separator: ", ")
    // Of several containers that hold it, that of films is the nearest.
    let kinds = ContainerKind.allCases
    let taker =
      kinds.first { $0.traits.isMovie && codecs(of: $0, isIAMF: isIAMF).contains(codec) }
      ?? kinds.first { codecs(of: $0, isIAMF: isIAMF).contains(codec) }
    let other = taker.map { "add \(setting: .container) \($0.rawValue)" }
    let remedy =
      kind.traits.isMovie
      ? "give \(held)" + (other.map { ", or \($0)" } ?? "")
      : (other.map { "\($0) or " } ?? "") + "leave \(setting: .codec) out"
    throw MediaError(
      .usage,
      "\(setting: .codec) \(codec.rawValue): \(kind.traits.name) holds \(held); \(remedy)")
  }

  /// Refuses floats where a lossless codec holds integers.
  package static func check(
    _ encoding: SampleEncoding, of codec: AudioEncoding, in kind: ContainerKind
  ) throws {
    guard encoding == .float32, codec.isLossless, kind.traits.output?.takesFloats != true else {
      return
    }
    throw MediaError(
      .usage, "\(setting: .bits) 32f: \(codec.rawValue) holds integers; give 16 or 24")
  }

  /// The refusal of players that only Opus is made for.
  package static var strayOpusTarget: MediaError {
    MediaError(
      .usage, "\(setting: .opusTarget) mse: only means something with \(setting: .codec) opus")
  }

  /// Metadata of objects describe loudspeakers and places, not what headphones or a pair get.
  private static func check(_ container: Container, _ endpoint: Endpoint) throws {
    guard container.keeps == .everything, endpoint.kind != .none else { return }
    throw MediaError(
      .usage,
      "\(setting: .container) \(container.kind.rawValue): holds beds, objects and sound fields, which "
        + "aren't rendered for \(endpoint.kind.rawValue); choose \(setting: .endpoint) none or another "
        + "\(setting: .container)")
  }

  private static func check(_ carriage: Carriage, _ files: OutputFiles) throws {
    let keepsSound = ![.automatic, .none].contains(carriage.keptAudio)
    guard !keepsSound || files.holds.contains(.originals) || CopiedSounds.fits(files.kind) else {
      throw MediaError(
        .usage,
        "\(setting: .keptAudio): \(files.kind.traits.name) gets the rendered track alone; use \(setting: .container) matroska or mp4"
      )
    }
    guard carriage.subtitleFile == nil || files.holds.contains(.subtitles) else {
      let remedy = ContainerKind.allCases
        .filter { $0.traits.output?.holds.contains(.subtitles) == true }
        .map { "\(setting: .container) \($0.rawValue)" }.joined(separator: " or ")
      throw MediaError(
        .usage,
        "\(setting: .subtitles): \(files.kind.traits.name) holds none; add \(remedy), or leave the file out"
      )
    }
  }

  private static func check(_ items: ItemSpan, _ output: OutputRequest) throws {
    guard items.first >= 1, items.last >= items.first, !output.isCopy else {
      throw MediaError(
        .usage, about: output.location.name,
        "items \(items.first) to \(items.last): give numbers from 1 on, the last not before the first, of "
          + "sound that is rendered")
    }
  }

  /// One gain needs one target.
  private static func checkShared(_ request: RenderRequest) throws {
    let levels = Set(request.outputs.map { $0.rendition?.level })
    guard levels.count == 1, let level = levels.first ?? nil else {
      throw MediaError(
        .usage,
        "\(setting: .sharesGain): one gain needs one loudness target; give \(setting: .loudness) in LUFS"
      )
    }
    guard level.mode == .measured else {
      throw MediaError(
        .usage,
        "\(setting: .sharesGain): one gain can't follow what files state; use \(setting: .loudnessMode) measured"
      )
    }
  }

  private static func checkChapters(_ output: OutputRequest) throws {
    guard let path = output.carriage.chaptersFile else { return }
    _ = try ChapterSheet(path: path)
    guard !output.isCopy else {
      throw MediaError(
        .usage, about: path,
        "chapters aren't written beside copied sound; leave \(setting: .codec) copy out")
    }
  }

  private static func checkDuration(_ files: OutputFiles) throws {
    guard let duration = files.fragmentDuration, duration.samples(at: 1000) <= 0 else { return }
    throw MediaError(
      .usage,
      "\(setting: .fragmentDuration) and \(setting: .segmentDuration): give more than 0, such as 2s"
    )
  }

  /// A copy leaves the coded frames as they are, so options that change samples are refused.
  private static func checkCopy(_ clip: Clip, outputs: Int) throws {
    let changes: [(isAsked: Bool, setting: Setting)] = [
      (outputs > 1, .furtherOutputs), (clip.alignment != .audio, .alignment),
      (clip.priming != .automatic, .priming), (clip.gaps != .fill, .gaps),
      (clip.decoding.dynamicRange != .off, .dynamicRange),
      (clip.decoding.dialogueGain != 0, .dialogueGain),
      (clip.decoding.order != nil, .inputLayout), (clip.decoding.field != nil, .inputField),
    ]
    guard let change = changes.first(where: \.isAsked) else { return }
    throw refusal(ofCopyWith: change.setting)
  }

  private static func checkCopies(into kind: ContainerKind) throws {
    guard kind.traits.output?.takesCopies != true else { return }
    let takers = ContainerKind.allCases.filter { $0.traits.output?.takesCopies == true }
    throw MediaError(
      .usage,
      "\(setting: .codec) copy: coded frames aren't copied into \(kind.traits.name); give "
        + takers.map(\.rawValue).joined(separator: " or ") + " as \(setting: .container)")
  }

  /// The refusal of a copy that is to change the sound, by the setting that asks for it.
  package static func refusal(ofCopyWith setting: Setting) -> MediaError {
    var says = ""
    if case .byValue(let words) = setting.row.copy { says = words }
    return refusal(ofCopyWith: "\(setting: setting)" + says)
  }

  /// The refusal of a copy that is to change the sound, by the option that asks for it.
  package static func refusal(ofCopyWith option: String) -> MediaError {
    MediaError(
      .usage,
      "\(option): changes the sound, which \(setting: .codec) copy leaves as it is; drop one")
  }

  /// Checks requests that share one gain.
  static func checkAlbum(_ requests: [RenderRequest]) throws {
    let renditions = requests.map { request in request.outputs.map(\.rendition) }
    guard let target = renditions.first?.first??.level else {
      throw MediaError(
        .usage, "\(setting: .album): needs a loudness target; give \(setting: .loudness) in LUFS")
    }
    guard target.mode == .measured else {
      throw MediaError(
        .usage,
        "\(setting: .album): one gain can't follow every file's dialnorm; use \(setting: .loudnessMode) measured"
      )
    }
    guard requests.count == 1 || requests.allSatisfy({ $0.levelling == nil }) else {
      throw MediaError(
        .usage,
        "\(setting: .album): each file would be levelled by a curve of its own; leave \(setting: .levelling) or it out"
      )
    }
    guard renditions.allSatisfy({ $0.count == 1 && $0[0]?.level == target }) else {
      throw MediaError(
        .usage, "\(setting: .album): every file needs one output and the same target")
    }
    try checkNames(requests)
  }

  /// Makes sure that no file is written twice: playlists and movies of HLS, chapters and analyses included. Groups of sound in HLS have
  /// one name.
  private static func checkNames(_ requests: [RenderRequest]) throws {
    let named = try requests.flatMap { request in
      try request.outputs.enumerated().filter { index, output in
        guard let first = request.outputs[..<index].first(where: { $0.isGroup(besides: output) })
        else { return true }
        try checkGroup(output, besides: first)
        return false
      }.map(\.element)
    }
    let places = named.flatMap { output -> [FilePlace] in
      let beside = [output.carriage.chaptersFile].compactMap { $0 } + output.analysisFiles
      let own = OutputFiles(output).possibleFiles(of: output.location.name)
      return (own + beside).map { FilePlace($0) }
    }
    guard Set(places).count == places.count else {
      throw MediaError(.usage, "two outputs are the same file; give each its own name")
    }
    let renditions = requests.flatMap(\.outputs).compactMap(\.rendition)
    let tap = renditions.flatMap(\.taps).compactMap(\.work.path).first {
      places.contains(FilePlace($0))
    }
    if let tap {
      throw MediaError(
        .outputUnwritable, about: tap, "is the file of a tap; give the output another name")
    }
  }

  /// Refuses a group of sound that differs from the `first` one of its presentation in anything but its sound.
  private static func checkGroup(_ output: OutputRequest, besides first: OutputRequest) throws {
    let (own, other) = (OutputFiles(output), OutputFiles(first))
    guard own.hasSegmentFiles == other.hasSegmentFiles,
      own.fragmentDuration == other.fragmentDuration, output.carriage == first.carriage,
      output.items == first.items
    else {
      throw MediaError(
        .usage, about: output.location.name,
        "two groups of sound of one presentation have different segments, items or parts besides the sound; give both the same"
      )
    }
  }
}
