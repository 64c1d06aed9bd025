import AudioCore
import Loudness
import Settings
import Rendering
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
    let text = flags.listening.endpoint ?? preset?.text(.endpoint) ?? usual.rawValue
    return try Choice.parse(text, "--endpoint")
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
    rendition.level = try level(isOff: isOff)
    if let name = flags.level.loudnessLayout {
      rendition.loudnessLayout = try Choice.layout(name, "--loudness-layout")
    }
    if let flag = flags.level.dualMono { rendition.isDualMono = flag }
    if let rate = flags.encoding.rate { rendition.sampleRate = rate }
    rendition.filterHead = try Choice.parse(flags.timeline.head, "--head")
    rendition.tail = try Choice.parse(flags.timeline.tail, "--tail")
    rendition.alreadyVirtualized = try Choice.parse(
      flags.listening.alreadyVirtualized, "--already-virtualized")
    if let gain = flags.listening.lfeGain {
      rendition.lfe = gain == "off" ? .dropped : .gain(try Choice.number(gain, "--lfe-gain"))
    }
    rendition.downmix = try Choice.parse(flags.listening.downmix, "--downmix")
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
    let level = flags.level
    let options: [(isGiven: Bool, name: String)] = [
      (level.truePeak != nil, "--true-peak"), (level.peakPolicy != nil, "--peak-policy"),
      (level.loudnessMode != nil, "--loudness-mode"),
      (level.loudnessLayout != nil, "--loudness-layout"), (level.lowerOnly == true, "--lower-only"),
      (level.maxGain != nil, "--max-gain"), (level.threshold != nil, "--threshold"),
      (level.album == true, "--album"), (level.loudestTrack == true, "--loudest-track"),
      (flags.sameGain, "--same-gain"), (flags.queue.queueLoudness != nil, "--queue-loudness"),
    ]
    guard let option = options.first(where: \.isGiven) else { return }
    throw MediaError(
      .usage,
      "\(option.name): a programme that is stored as it is keeps its level; give --loudness in LUFS, too"
    )
  }

  /// Refuses options that apply to none of the outputs.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check(_ outputs: [OutputRequest]) throws {
    try checkLevel(outputs)
    let endpoints = outputs.compactMap(\.rendition?.endpoint)
    let kinds = Set(endpoints.map(\.kind))
    guard flags.listening.speakerSpan == nil || kinds.contains(.speakers) else {
      throw MediaError(.usage, "--speaker-span: only means something with --endpoint speakers")
    }
    guard !flags.listening.asksForLayout || kinds.contains(.none) else {
      throw MediaError(
        .usage,
        "--layout: only means something with --endpoint none; headphones and speakers are stereo")
    }
    let set = flags.listening.processing
    for (option, text) in [
      ("--hrtf-symmetry", set.hrtfSymmetry), ("--hrtf-processing", set.hrtfProcessing),
    ] {
      let value: Switch = try Choice.parse(text, option)
      guard value == .on || endpoints.contains(where: { $0.hrtf != nil }) else {
        throw MediaError(
          .usage,
          "\(option) off: only means something when headphones or speakers are virtualised")
      }
    }
    let hasEars = endpoints.contains { $0.kind == .headphones && $0.hrtf != nil }
    guard listener.room == "off" || hasEars || !kinds.contains(.headphones) else {
      throw MediaError(
        .usage, "--room: only means something when headphones are virtualised; leave it out")
    }
    guard
      !flags.listening.processing.hasHead || endpoints.contains(where: { $0.hrtf != nil })
    else {
      throw MediaError(
        .usage,
        "--itd-scale and --head-circumference: only mean something when headphones or speakers are virtualised"
      )
    }
    guard listener.roomFile == nil || flags.listening.hrtf == "kemar" else {
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
      if let span = flags.listening.speakerSpan {
        pair.span = try Choice.number(span, "--speaker-span")
      }
      pair.objectAngles = try listener.angles()
      return .speakers(pair)
    case .none: return .channels(try layout())
    }
  }

  /// The HRTF set; `nil` when nothing is virtualised.
  private func hrtf() throws -> HRTFRequest? {
    let isOn: Switch = try Choice.parse(flags.listening.virtualizer, "--virtualizer")
    guard isOn == .on else { return nil }
    return HRTFRequest(
      try HRTFCommand.choice(flags.listening.hrtf),
      options: try flags.listening.processing.options())
  }

  private func layout() throws -> ChannelLayout? {
    guard let name = flags.listening.layout, flags.listening.asksForLayout else { return nil }
    return try Choice.layout(name, "--layout", alsoKnown: "keep or ")
  }

  /// The preset's level with the flags applied; `isOff` is whether the preset turns it off.
  private func level(isOff: Bool) throws -> LoudnessTarget? {
    var target = LoudnessTarget.standard
    if let preset { target.apply(preset, isAlbum: isAlbum) }
    var isOff = isOff
    if let text = flags.level.loudness {
      isOff = text == "off"
      if !isOff { target.integrated = try Choice.number(text, "--loudness") }
    }
    if let text = flags.level.truePeak { target.truePeak = try Choice.number(text, "--true-peak") }
    if let text = flags.level.peakPolicy {
      target.peakPolicy = try Choice.parse(text, "--peak-policy")
    }
    if let text = flags.level.loudnessMode {
      target.mode = try Choice.parse(text, "--loudness-mode")
    }
    if let flag = flags.level.lowerOnly { target.lowersOnly = flag }
    if let text = flags.level.maxGain { target.maxGain = try Choice.number(text, "--max-gain") }
    if let text = flags.level.threshold {
      target.threshold = try Choice.number(text, "--threshold")
    }
    if let flag = flags.level.loudestTrack { target.reference = flag ? .loudestTrack : .programme }
    guard isAlbum || flags.level.loudestTrack != true else {
      throw MediaError(.usage, "--loudest-track: only means something with --album; add it")
    }
    // Invalid figures are refused even where a level that is off would ignore them.
    try target.validate()
    return isOff ? nil : target
  }
}
