// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Rendering
import Settings

/// Works out the container of each output from `-f`, `-c:a`, `-b:a`, `-b` and the output's name.
struct ContainerChoice {
  let flags: RenderArguments
  let preset: Preset?

  /// Whether coded frames are to be copied.
  var isCopy: Bool { flags.encoding.codec == "copy" }

  /// The kind that is asked for by name; `nil` where none is.
  /// - Throws: ``MediaError`` of kind `usage` for a name that is unknown.
  func named() throws -> ContainerKind? {
    if let ending = namedExtension { return ContainerKind(fileExtension: ending) }
    return try flags.encoding.format?.value(.container) ?? preset?.containerKind
  }

  /// The extension that `-f` has in place of a container's name, such as `m4a` or `opus`; `nil` for a name.
  var namedExtension: String? {
    guard let text = flags.encoding.format?.text.lowercased(), ContainerKind(rawValue: text) == nil,
      ContainerKind(fileExtension: text) != nil
    else { return nil }
    return text
  }

  /// The kind of the first output's container.
  /// - Throws: ``MediaError`` of kind `usage` for an extension of another container, and for a name that
  ///   chooses none.
  func kind(of output: String) throws -> ContainerKind {
    let name = OutputExtension(output)
    guard let chosen = try named() else { return try kind(by: name, "-o") }
    // A typed name is nearer to the wish than the format of a preset.
    guard flags.encoding.format == nil else { return chosen }
    if !name.isRight(for: chosen), let own = name.kind { return fitting(own) }
    return fitting(chosen)
  }

  /// `kind`, unless only another one with the same names holds the codec, or has the fragments that are asked for.
  private func fitting(_ kind: ContainerKind) -> ContainerKind {
    let codec = (try? codec()) ?? preset?.codec.map { ($0, false) }
    return ([kind] + ContainerKind.allCases).first { other in
      let traits = other.traits
      guard traits.extensions == kind.traits.extensions,
        flags.encoding.fragmentDuration == nil || traits.output?.fragment != nil
      else { return false }
      return codec.map {
        RequestRules.codecs(of: other, isIAMF: $0.isIAMF).contains($0.codec)
      } ?? true
    } ?? kind
  }

  /// Choices of fragments for those of `outputs` whose name alone would have asked for none.
  func fragmentDecisions(_ outputs: [OutputRequest]) -> [Decision] {
    outputs.enumerated().compactMap { index, output in
      let kind = OutputFiles(output).kind
      guard (try? named()) != kind, let usual = OutputExtension(output.location.name).kind,
        kind != usual, kind.traits.output?.fragment != nil,
        kind.traits.extensions == usual.traits.extensions
      else { return nil }
      let codec = output.container.map { ContainerChoice.names(of: $0.coding, in: kind)[0] }
      let why =
        flags.encoding.fragmentDuration != nil
        ? "\(setting: .fragmentDuration) asks for them"
        : "\(usual.traits.name) in one piece doesn't hold \(codec ?? "it")"
      return Decision(
        .fragments, chose: "in fragments (\(setting: .container) \(kind.rawValue))", why: why,
        subject: .output(index))
    }
  }

  /// The kind of the outputs in a folder that are made of `inputs`: of lossless files alone FLAC, else WAV.
  /// - Throws: ``MediaError`` of kind `usage`.
  func kind(ofOutputsFrom inputs: [String]) throws -> ContainerKind {
    if let chosen = try named() { return chosen }
    let codec = flags.encoding.codec ?? AudioEncoding.flac.rawValue
    // FLAC holds neither floats nor more than eight channels, which WAV does.
    let layout = flags.listening.layout.flatMap { ChannelLayout(name: $0.text) }
    let bits = try encoding()
    let fits =
      bits != .float32 && codec == AudioEncoding.flac.rawValue
      && layout.map { $0.count <= 8 } != false
    return fits && !inputs.isEmpty && inputs.allSatisfy(LosslessFamily.holds) ? .flac : .wav
  }

  /// The kind of another output's container: by its extension, else that of the first output.
  /// - Throws: ``MediaError`` of kind `usage` for an extension of another container, and for a name that
  ///   chooses none without `-f`.
  func kind(of output: String, besides first: ContainerKind) throws -> ContainerKind {
    let name = OutputExtension(output)
    // Without an extension of its own it is like the first, as `-f` asks.
    let hasFormat = try named() != nil
    if !name.isClaimed, hasFormat || name.isStream { return first }
    if name.kind == nil, name.isClaimed, name.isRight(for: first) { return first }
    return try kind(by: name, "--also")
  }

  private func kind(by name: OutputExtension, _ option: String) throws -> ContainerKind {
    if let kind = name.kind { return fitting(kind) }
    if name.isStream { return .wav }
    guard !name.path.isEmpty else {
      throw MediaError(.usage, "\(option): the name is empty; give one, e.g. film.wav")
    }
    guard let text = name.text else {
      throw MediaError(
        .usage,
        "\(option) \(name.path): has no extension, which says what is written; give one, e.g. \(name.stem).wav or "
          + "\(name.stem).mkv, or add -f")
    }
    let what = name.isClaimed ? ".\(text) isn't written" : "no container is called .\(text)"
    throw MediaError(
      .usage, "\(option) \(name.path): \(what); give \(ContainerChoice.endings), or -f")
  }

  /// The container of the first output with its settings.
  /// - Throws: ``MediaError`` of kind `usage` for combinations that don't exist.
  func container(_ kind: ContainerKind) throws -> Container {
    let named = try codec()
    let codec = named?.codec ?? usualCodec(of: kind)
    try RequestRules.check(codec, isIAMF: named?.isIAMF == true, in: kind)
    var coding = OutputCoding(codec, encoding: try encoding(), dither: try dither())
    coding.iamf = try iamf(kind, isNamed: named?.isIAMF == true)
    if let text = flags.encoding.bitRate {
      coding.bitRate = try bitRate(text, of: codec, "-b:a")
    } else if !codec.isLossless {
      coding.bitRate = preset?.bitRate
    }
    try RequestRules.check(coding.encoding, of: codec, in: kind)
    return try container(kind, coding)
  }

  /// The container of another output: it takes the settings that it supports and ignores the
  /// others, since they may be meant for an output of another kind.
  /// - Throws: ``MediaError`` of kind `usage` for values that no container takes.
  func container(besidesFirst kind: ContainerKind) throws -> Container {
    let traits = kind.traits.output
    let named = try codec().flatMap {
      RequestRules.codecs(of: kind, isIAMF: $0.isIAMF).contains($0.codec) ? $0 : nil
    }
    let codec = named?.codec ?? usualCodec(of: kind)
    var coding = OutputCoding(codec, encoding: try encoding(), dither: try dither())
    coding.iamf = try iamf(kind, isNamed: named?.isIAMF == true)
    if !codec.isLossless {
      coding.bitRate =
        try flags.encoding.bitRate.map { try ContainerChoice.rate($0, "-b:a") }
        ?? preset?.bitRate
    }
    if coding.encoding == .float32, codec.isLossless, traits?.takesFloats != true {
      coding.encoding = .pcm24
    }
    return try container(kind, coding)
  }

  /// The container that coded frames are copied into.
  /// - Throws: ``MediaError`` of kind `usage` for a container without copies.
  func copyContainer(_ kind: ContainerKind) throws -> OutputRequest.CopyContainer {
    guard flags.encoding.bitRate == nil else {
      throw MediaError(.usage, "-b:a: a copy keeps its bit rate; leave it out")
    }
    guard kind.traits.output?.takesCopies == true else {
      throw MediaError(
        .usage,
        "-c:a copy: \(kind.traits.name) holds \(kind.traits.output?.codecs.first?.rawValue ?? ""); add "
          + "-f \(ContainerKind.mp4.rawValue) or leave -c:a out")
    }
    return OutputRequest.CopyContainer(
      kind,
      fragmentDuration: kind.traits.output?.isSeveralFiles == true
        ? try segmentDuration() : try fragmentDuration(),
      hasSegmentFiles: flags.encoding.segmentFiles)
  }

  private func container(
    _ kind: ContainerKind, _ coding: OutputCoding
  ) throws -> Container {
    var coding = coding
    let isGapless = try flags.encoding.opusTarget.value(.opusTarget)
    coding.encoderOptions = try flags.encoding.outOpt.pairs(.encoderOptions)
    coding.admTimes = try admTimes()
    // Without an edit list only a browser's MediaSource plays Opus in MP4 from the right sample.
    coding.isForMediaSource = !isGapless && coding.codec == .opus && kind.traits.isMovie
    let (fragment, segment) = (try fragmentDuration(), try segmentDuration())
    coding.fragmentDuration = kind.traits.output?.isSeveralFiles == true ? segment : fragment
    coding.hasSegmentFiles = flags.encoding.segmentFiles
    return Container(kind, coding)
  }

  /// Refuses settings that apply to none of the outputs.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ outputs: [OutputRequest]) throws {
    let containers = outputs.compactMap(\.container)
    let isHLS = outputs.contains { OutputFiles($0).isHLS }
    let codecs = containers.filter { $0.coding.codec != .pcm }.map(\.coding.codec)
    guard flags.encoding.outOpt.isEmpty || !codecs.isEmpty else {
      throw MediaError(.usage, "--out-opt: is for an encoder, which WAV and copies have none of")
    }
    guard flags.encoding.iamfLayers == nil || containers.contains(where: { $0.coding.iamf != nil })
    else {
      throw Setting.layers.stray("with -f iamf or a codec iamf-…; add one")
    }
    guard flags.encoding.admTimes == nil || containers.contains(where: { $0.kind == .bw64 }) else {
      throw Setting.admTimes.stray("with -f bw64; add it")
    }
    guard flags.encoding.opusTarget.text != "mse" || codecs.contains(.opus) else {
      throw RequestRules.strayOpusTarget
    }
    guard !flags.encoding.segmentFiles || isHLS else {
      throw Setting.segmentFiles.stray("with -f hls")
    }
    guard flags.encoding.segmentDuration == nil || isHLS else {
      throw Setting.segmentDuration.stray("with -f hls")
    }
    guard flags.encoding.fragmentDuration == nil || !outputs.allSatisfy({ OutputFiles($0).isHLS })
    else {
      throw MediaError(
        .usage, "--fragment-duration: a segment of HLS is one fragment; use --segment-duration")
    }
    guard
      flags.encoding.fragmentDuration == nil
        || !outputs.allSatisfy({ OutputFiles($0).kind == .mp4 })
    else { throw Setting.fragmentDuration.stray("with -f fmp4; leave -f mp4 out") }
  }

  /// Names of all codecs.
  static let codecs =
    AudioEncoding.allCases.map(\.rawValue)
    + (ContainerTraits.iamf.output?.codecs ?? []).map { RequestRules.iamfPrefix + $0.rawValue }

  /// Names of a coding for `-c:a`, the usual name first.
  static func names(of coding: OutputCoding, in kind: ContainerKind) -> [String] {
    let own = coding.codec.rawValue
    guard coding.iamf != nil else { return [own] }
    return kind == .iamf ? [own, RequestRules.iamfPrefix + own] : [RequestRules.iamfPrefix + own]
  }

  /// The codec of `-c:a`, and whether it is that of the substreams of IAMF; `nil` for the container's first.
  private func codec() throws -> (codec: AudioEncoding, isIAMF: Bool)? {
    guard let name = flags.encoding.codec else { return nil }
    let isIAMF = name.hasPrefix(RequestRules.iamfPrefix)
    let own = isIAMF ? String(name.dropFirst(RequestRules.iamfPrefix.count)) : name
    guard ContainerChoice.codecs.contains(name), let codec = AudioEncoding(rawValue: own) else {
      let all = (ContainerChoice.codecs + ["copy"]).joined(separator: ", ")
      throw MediaError(.usage, "-c:a \(name): unknown value; give one of \(all)")
    }
    return (codec, isIAMF)
  }

  /// The codec where none is typed: the preset's, if the container takes it, else the container's first.
  private func usualCodec(of kind: ContainerKind) -> AudioEncoding {
    let codecs = kind.traits.output?.codecs ?? []
    return preset?.codec.flatMap { codecs.contains($0) ? $0 : nil } ?? codecs.first ?? .pcm
  }

  /// Choices about settings of the preset that `coding`, in a container called `name`, has no use for.
  func leftAside(_ coding: OutputCoding, _ name: String, _ subject: DiagnosticSubject)
    -> [Decision]
  {
    var found: [Decision] = []
    let codec = coding.codec.rawValue
    if let own = preset?.codec, own != coding.codec, flags.encoding.codec == nil {
      found.append(
        Decision(
          .codec, chose: codec, why: "\(name) doesn't hold the preset's \(own.rawValue)",
          subject: subject))
    }
    if preset?.bitRate != nil, flags.encoding.bitRate == nil, coding.codec.isLossless {
      found.append(
        Decision(
          .codec, chose: codec,
          why: "it is lossless and takes no bit rate, which the preset states",
          subject: subject))
    }
    return found
  }

  /// How IAMF holds the sound; `nil` where the container or the codec is another.
  private func iamf(_ kind: ContainerKind, isNamed: Bool) throws -> Container.IAMF? {
    guard isNamed || kind == .iamf else { return nil }
    guard let text = flags.encoding.iamfLayers else { return Container.IAMF() }
    return Container.IAMF(
      layers: try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try Given<Container.IAMF.Layer>(argument: String($0)).value(.layers)
      })
  }

  private func encoding() throws -> SampleEncoding {
    guard let bits = flags.encoding.bits else { return preset?.sampleEncoding ?? .pcm24 }
    if SampleEncoding(rawValue: bits.text) == nil,
      let rate = try? ContainerChoice.rate(bits.text, "-b")
    {
      throw MediaError(
        .usage,
        "-b \(bits.text): means the bits of a sample, 16, 24 or 32f; a bit rate goes to -b:a, e.g. -b:a \(rate / 1000)k"
      )
    }
    return try bits.value(.bits)
  }

  private func admTimes() throws -> ADMTimeForm {
    try flags.encoding.admTimes?.value(.admTimes) ?? preset?.text(.admTimes).flatMap(
      ADMTimeForm.init) ?? .decimal
  }

  private func dither() throws -> Dither {
    try flags.encoding.dither?.value(.dither) ?? preset?.dither ?? .none
  }

  private func fragmentDuration() throws -> TimeSpec {
    try (flags.encoding.fragmentDuration ?? Given(default: "2s")).value(.fragmentDuration)
  }

  private func segmentDuration() throws -> TimeSpec {
    try (flags.encoding.segmentDuration ?? Given(default: "6s")).value(.segmentDuration)
  }

  /// The extensions that can be given, for messages.
  private static var endings: String {
    let all = ContainerKind.allCases.flatMap(\.traits.extensions).reduce(into: [String]()) {
      if !$0.contains("." + $1) { $0.append("." + $1) }
    }
    return all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
  }

  /// The bit rate that `text`, given as `option`, asks of `codec`.
  /// - Throws: ``MediaError`` of kind `usage` for a lossless codec and for anything but a bit rate.
  func bitRate(_ text: String, of codec: AudioEncoding, _ option: String) throws -> Int {
    guard !codec.isLossless else {
      throw MediaError(
        .usage, "\(option): \(codec.rawValue) is lossless and takes no bit rate; leave it out")
    }
    return try ContainerChoice.rate(text, option)
  }

  private static func rate(_ text: String, _ option: String) throws -> Int {
    guard let number = NumberUnits.number(text, in: "bit/s"),
      AudioEncoding.bitRates.contains(Int(max(0, min(1e9, number))))
    else {
      throw MediaError(
        .usage, "\(option == "-b:a" ? "-b:a \(text)" : option): give 8k to 2000k bit/s")
    }
    return Int(number)
  }
}
