// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Rendering
import Settings
import Spatial

/// Works out how an output's sound is made: a flag overrides the preset, the preset the default.
struct RenditionChoice {
  let flags: RenderArguments
  let listener: ListenerArguments
  let preset: Preset?

  /// Whether several inputs get one common gain.
  var isAlbum: Bool { flags.level.album ?? preset?.flag(.album) ?? false }

  /// The kind of the first output's endpoint: headphones, unless its container keeps objects as they are.
  func endpointKind(in container: Container) throws -> Endpoint.Kind {
    let usual: Endpoint.Kind = container.keeps == nil ? .headphones : .none
    let given =
      flags.listening.endpoint ?? preset?.text(.endpoint).map { Given(default: $0) } ?? Given(usual)
    return try given.value(.endpoint)
  }

  /// The rendition for an endpoint of this kind in `container`.
  /// - Throws: ``MediaError`` of kind `usage`.
  func rendition(for kind: Endpoint.Kind, in container: Container) throws -> Rendition {
    var rendition = Rendition(.channels())
    if let preset { try rendition.apply(preset, isAlbum: isAlbum) }
    if flags.taps.noTaps { rendition.taps = [] }
    rendition.endpoint = try endpoint(kind)
    // The limit of a preset means nothing elsewhere, and wouldn't count as the same rendition.
    if kind != .none || flags.listening.layout != nil { rendition.largestLayout = nil }
    let isOff = rendition.level == nil || staysAtItsLevel(kind, container)
    rendition.level = try flags.level.target(preset, isAlbum: isAlbum, isOff: isOff)
    if let name = flags.level.loudnessLayout {
      rendition.loudnessLayout = try name.value(.loudnessLayout)
    }
    if let flag = flags.level.dualMono { rendition.isDualMono = flag }
    if let rate = flags.encoding.rate { rendition.sampleRate = try rate.checked(.sampleRate) }
    rendition.filterHead = try flags.timeline.head.value(.filterHead)
    rendition.tail = try flags.timeline.tail.value(.tail)
    rendition.alreadyVirtualized = try flags.listening.alreadyVirtualized.value(
      .alreadyVirtualized)
    if let gain = flags.listening.lfeGain {
      rendition.lfe = gain.text == "off" ? .dropped : .gain(try gain.value(.lfeGain))
    }
    rendition.downmix = try gains()?.standing ?? .standard
    rendition.taps += try flags.taps.taps()
    if let latency = try flags.taps.latency() {
      for index in rendition.taps.indices { rendition.taps[index].latency = latency }
    }
    return rendition
  }

  /// Whether an output is a master, whose level nobody wants changed without asking: its container keeps programmes as they
  /// are, and neither `-l` nor the preset names a loudness.
  private func staysAtItsLevel(_ kind: Endpoint.Kind, _ container: Container?) -> Bool {
    let own = preset?.text(.loudness) ?? (isAlbum ? preset?.text(.albumLoudness) : nil)
    return kind == .none && container?.keeps != nil && flags.level.loudness == nil && own == nil
  }

  /// Refuses options for a level that no output has.
  private func checkLevel(_ outputs: [OutputRequest]) throws {
    guard
      outputs.allSatisfy({ output in
        guard let rendition = output.rendition else { return false }
        return staysAtItsLevel(rendition.endpoint.kind, output.container)
      })
    else { return }
    guard let option = GivenOptions(flags).refusedWithoutLevel else { return }
    throw MediaError(
      .usage,
      "\(option.row.flag): a programme that is stored as it is keeps its level; give --loudness in LUFS, too"
    )
  }

  /// Refuses options that apply to none of the outputs.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ outputs: [OutputRequest]) throws {
    try checkLevel(outputs)
    let endpoints = outputs.compactMap(\.rendition?.endpoint)
    let kinds = Set(endpoints.map(\.kind))
    guard flags.listening.speakerSpan == nil || kinds.contains(.speakers) else {
      throw Setting.speakerSpan.stray("with --endpoint speakers")
    }
    guard !flags.listening.asksForLayout || kinds.contains(.none) else {
      throw Setting.outputLayout.stray(
        "with --endpoint none; headphones and speakers are stereo")
    }
    let set = flags.listening.processing
    for (option, given) in [
      (Setting.symmetry, set.hrtfSymmetry), (.hrtfProcessing, set.hrtfProcessing),
    ] {
      guard try given.value(option) || endpoints.contains(where: { $0.hrtf != nil }) else {
        throw option.stray("when headphones or speakers are virtualised", says: " off")
      }
    }
    let hasEars = endpoints.contains { $0.kind == .headphones && $0.hrtf != nil }
    guard !listener.hasRoom || hasEars || !kinds.contains(.headphones) else {
      throw Setting.room.stray("when headphones are virtualised; leave it out")
    }
    guard
      !flags.listening.processing.hasHead || endpoints.contains(where: { $0.hrtf != nil })
    else {
      throw MediaError(
        .usage,
        "--itd-scale and --head-circumference: only mean something when headphones or speakers are virtualised"
      )
    }
    guard listener.roomFile == nil || flags.listening.hrtf.text == "kemar" else {
      throw MediaError(
        .usage, "--room: a measured room has the ears of its own head; leave out --hrtf")
    }
    try listener.check(kinds)
  }

  private func endpoint(_ kind: Endpoint.Kind) throws -> Endpoint {
    switch kind {
    case .headphones: return .headphones(try listener.listener(hrtf: hrtf()))
    case .speakers:
      var pair = SpeakerPair(hrtf: try hrtf(), positions: try listener.positions())
      if let span = flags.listening.speakerSpan { pair.span = try span.value(.speakerSpan) }
      pair.objectAngles = try listener.angles()
      return .speakers(pair)
    case .none: return .channels(try layout())
    }
  }

  /// The HRTF set; `nil` when nothing is virtualised.
  private func hrtf() throws -> HRTFRequest? {
    guard try flags.listening.virtualizer.value(.virtualizer) else { return nil }
    return HRTFRequest(
      try HRTFCommand.choice(flags.listening.hrtf.text),
      options: try flags.listening.processing.options())
  }

  /// Gains that stand somewhere already, or a matrix of the user's own.
  private enum Gains {
    case standing(DownmixGains)
    case own(ChannelMatrix)

    var standing: DownmixGains? {
      if case .standing(let gains) = self { return gains }
      return nil
    }
  }

  /// The user's own mix of channels; `nil` for none.
  /// - Throws: ``MediaError`` of kind `usage`.
  func matrix() throws -> ChannelMatrix? {
    if case .own(let matrix) = try gains() { return matrix }
    return nil
  }

  private func gains() throws -> Gains? {
    guard let text = flags.listening.downmix?.text ?? preset?.text(.downmix) else { return nil }
    if let gains = DownmixGains(rawValue: text) { return .standing(gains) }
    guard text.contains(where: { "=<|".contains($0) }) else {
      throw MediaError(
        .usage,
        "--downmix \(text): give standard, stream or a matrix such as 'FL=FL+0.7*FC|FR=FR+0.7*FC'")
    }
    return .own(try ChannelMatrix(text))
  }

  private func layout() throws -> ChannelLayout? {
    guard let name = flags.listening.layout, flags.listening.asksForLayout else { return nil }
    return try name.value(.outputLayout, alsoKnown: "keep or ")
  }
}
