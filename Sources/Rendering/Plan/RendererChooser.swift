// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import Report
import Signal
import Spatial

/// Chooses the renderer of an output and logs the reason.
struct RendererChooser {
  let rendition: Rendition
  /// Container of the sound.
  let container: Container
  let log: DiagnosticLog
  /// Programme that is rendered.
  let programme: Programme

  /// The choice of a renderer.
  struct Choice {
    var plan: RendererPlan
    /// Level of the LFE channels in dB; `nil` when there are none or they are dropped.
    var lfeGainDB: Double?
    /// The HRTF set used.
    var hrtf: RenderReport.Render.HRTF?
    /// The room, simulated or measured.
    var room: RenderReport.Render.Room?
    /// The gains of a downmix.
    var downmix: RenderReport.Render.Downmix?
  }

  /// The renderer for the programme.
  /// - Throws: ``MediaError`` where the programme can't be rendered for the endpoint as is asked for.
  func choose() throws -> Choice {
    let choice: Choice
    if let format = programme.bedFormat {
      choice = try chooseByEndpoint(format)
    } else {
      choice = try chooseForScene()
    }
    note(measuredIn: choice.plan)
    // A mix that the decoder made is reported by the decoder.
    let isMixed = programme.facts.isMixedByFile == true
    if rendition.downmix == .stream, choice.downmix == nil, !isMixed {
      log.decide(
        .downmix, "none",
        why: "nothing is mixed down for the endpoint \(rendition.endpoint.kind.rawValue); "
          + "\(setting: .downmix) stream has no effect there")
    }
    return choice
  }

  /// Reports that the layout for measuring has no effect, since the output's own channels are measured.
  private func note(measuredIn plan: RendererPlan) {
    guard let layout = rendition.loudnessLayout else { return }
    if case .kept = plan { return }
    log.decide(
      .loudness, "measured in the output's channels",
      why:
        "\(setting: .loudnessLayout) \(layout.name) is for objects and sound fields that are stored as they are, with "
        + "\(setting: .container) bw64 or iamf; channels are measured as they come out")
  }

  private func chooseByEndpoint(_ format: AudioFormat) throws -> Choice {
    let before = try before(format)
    if case .channels(let asked) = rendition.endpoint {
      guard let layout = asked ?? smaller(than: format.layout), layout != format.layout else {
        log.decide(.endpoint, "none", why: "channels are left as they are")
        return Choice(plan: .passThrough(before))
      }
      note(layout)
      return try downmix(format, to: layout)
    }
    if let before { return passThrough(before) }
    if let plain = plainForHeadphones(format) { return plain }
    guard let hrtf = rendition.endpoint.hrtf else {
      log.decide(.virtualizer, "off", why: "asked for by \(setting: .virtualizer) off")
      return try downmix(format, to: .stereo)
    }
    return try virtualize(hrtf, hasLFE: format.layout.speakers.contains(where: \.isLFE))
  }

  /// The largest layout of the output, where the programme's `own` has more channels; `nil` where it stays.
  private func smaller(than own: ChannelLayout) -> ChannelLayout? {
    guard let largest = rendition.largestLayout else { return nil }
    guard own.count <= largest.count else { return largest }
    log.decide(
      .layout, own.name, why: "only programmes with more channels are mixed down to \(largest.name)"
    )
    return nil
  }

  /// Reports why the output has `layout`.
  private func note(_ layout: ChannelLayout) {
    let isAsked = rendition.endpoint == .channels(layout)
    log.decide(
      .layout, layout.name,
      why: isAsked
        ? "asked for by \(setting: .outputLayout)"
        : "the programme has more channels; \(setting: .outputLayout) chooses another")
  }

  /// The renderer of a programme that isn't one bed.
  private func chooseForScene() throws -> Choice {
    guard rendition.alreadyVirtualized != .yes else {
      throw MediaError(
        .usage,
        "\(setting: .alreadyVirtualized) yes: a virtualised programme is stereo, but this one holds "
          + programme.contents)
    }
    if case .channels(let asked) = rendition.endpoint {
      guard let layout = asked ?? rendition.largestLayout else {
        if let kept = container.keeps { return try keep(kept) }
        if let field = programme.onlyField, let most = container.kind.traits.output?.fieldChannels,
          most > 0
        {
          return try keep(field, most: most)
        }
        throw MediaError(
          .usage,
          "the programme holds \(programme.contents), and this endpoint plays channels; name the loudspeakers with "
            + "\(setting: .outputLayout), e.g. \(setting: .outputLayout) 7.1.4"
            // A sound field that no metadata describe is one whatever is done with objects.
            + (programme.facts.objects == .yes
              ? ", or play the channels as they are with \(setting: .objects) bed" : ""))
      }
      note(layout)
      return try render(to: layout)
    }
    guard let hrtf = rendition.endpoint.hrtf else {
      log.decide(.virtualizer, "off", why: "asked for by \(setting: .virtualizer) off")
      return try render(to: .stereo)
    }
    return try virtualize(hrtf, hasLFE: programme.hasLFE)
  }

  /// The loudspeakers of `layout` for a bed that has nothing for some of them: its channels are those of a common pack
  /// (ITU-R BS.2127-1, 8). `nil` where a downmix leads there.
  private func larger(_ format: AudioFormat, _ layout: ChannelLayout) throws -> Choice? {
    guard let gains = LoudspeakerRenderer.gains(ofBed: format.layout, inLarger: layout) else {
      return nil
    }
    var choice = try render(to: layout)
    choice.downmix = RenderReport.Render.Downmix(
      method: RenderReport.Render.Downmix.directSpeakers, source: "ITU-R BS.2127",
      inputs: format.layout.speakers.map(\.name), outputs: layout.speakers.map(\.name),
      gains: gains)
    let silent = zip(layout.speakers, gains).filter { $0.1.allSatisfy { $0 == 0 } }.map(\.0.name)
    log.decide(
      .downmix, RenderReport.Render.Downmix.directSpeakers,
      why:
        "\(format.layout) has fewer channels than \(layout), and is rendered as ITU-R BS.2127 renders its channels there"
        + (silent.isEmpty ? "" : "; \(silent.joined(separator: ", ")) stay silent")
        + (rendition.downmix == .stream ? "; \(setting: .downmix) stream has no effect there" : ""))
    return choice
  }

  /// The loudspeakers of `layout` for a programme to which no downmix leads.
  private func render(to layout: ChannelLayout) throws -> Choice {
    let choice = Choice(plan: .loudspeakers(layout))
    guard programme.hasLFE else { return choice }
    let isLost = !layout.speakers.contains(where: \.isLFE)
    if rendition.lfe == .dropped, isLost {
      log.decide(.lfe, "dropped", why: "asked for by \(setting: .lfeGain) off")
      return choice
    }
    guard rendition.lfe == .standard else {
      throw MediaError(
        .usage,
        "\(setting: .lfeGain): ITU-R BS.2127 leaves the level of LFE channels alone in a rendering to "
          + "\(layout.name); leave it out")
    }
    if isLost {
      log.degrade(
        .lfeDropped,
        "\(layout.name) has no LFE, and ITU-R BS.2127 leaves that of the programme out; "
          + "\(setting: .lfeGain) off says that it may go")
    }
    return choice
  }

  private func passThrough(_ before: Virtualization) -> Choice {
    log.decide(
      .virtualizer, "passed through", why: "the input is virtualised already; never twice")
    if (before == .binaural) != (rendition.endpoint.kind == .headphones) {
      log.degrade(
        .otherEndpoint,
        "the input is virtualised for \(before == .binaural ? "headphones" : "loudspeakers") and "
          + "is passed through as it is; render the original for \(setting: .endpoint) "
          + rendition.endpoint.kind.rawValue)
    }
    let vain = vainSettings.map { "\(setting: $0)" }
    if !vain.isEmpty {
      log.degrade(
        .otherEndpoint,
        "the input is virtualised already, so \(vain.joined(separator: " and ")) "
          + (vain.count == 1 ? "has" : "have")
          + " no effect; render the original, or say that it isn't with \(setting: .alreadyVirtualized) no"
      )
    }
    return Choice(plan: .passThrough(before))
  }

  /// Settings of a listener that mean nothing for a programme that isn't virtualised again.
  private var vainSettings: [Setting] {
    let positions: SpeakerPositions
    var vain: [Setting] = []
    switch rendition.endpoint {
    case .headphones(let listener):
      positions = listener.positions
      if case .moving = listener.head { vain.append(.trajectory) }
      if case .still(let pose) = listener.head, pose != .ahead {
        let turns: [(Double, Setting)] = [
          (pose.yaw, .yaw), (pose.pitch, .pitch), (pose.roll, .roll),
        ]
        vain += turns.filter { $0.0 != 0 }.map(\.1)
      }
      if listener.room != nil || listener.hrtf?.choice.isRoom == true { vain.append(.room) }
    case .speakers(let pair): positions = pair.positions
    case .channels: return []
    }
    if let hrtf = rendition.endpoint.hrtf {
      if hrtf.choice != .builtIn, !hrtf.choice.isRoom { vain.append(.hrtf) }
      switch hrtf.options.head {
      case .measured: break
      case .scaled: vain.append(.delayScale)
      case .circumference: vain.append(.headCircumference)
      }
    }
    return vain + (positions.entries.isEmpty ? [] : [.speakerPositions])
  }

  /// The channels as they are, where the file says that headphones get them so; `nil` anywhere else.
  private func plainForHeadphones(_ format: AudioFormat) -> Choice? {
    guard rendition.endpoint.kind == .headphones, rendition.endpoint.hrtf != nil,
      rendition.alreadyVirtualized == .auto, programme.facts.isPlainOnHeadphones == true,
      format.layout == .stereo
    else { return nil }
    log.decide(
      .virtualizer, "off",
      why: "the file says that headphones get what two loudspeakers get; "
        + "\(setting: .alreadyVirtualized) no virtualises it")
    return Choice(plan: .passThrough(nil))
  }

  /// - Throws: ``MediaError`` of kind `usage` for reverberation without a room.
  private func virtualize(_ hrtf: HRTFRequest, hasLFE: Bool) throws -> Choice {
    if !hrtf.options.isSymmetrised {
      log.decide(
        .hrtfSymmetry, "off",
        why: "asked for by \(setting: .symmetry) off; left and right stay as they were measured")
    }
    if !hrtf.options.isProcessed {
      log.decide(
        .hrtfProcessing, "off",
        why:
          "asked for by \(setting: .hrtfProcessing) off; the set keeps its own diffuse field and bass"
      )
    }
    let lfe = rendition.lfe.virtualizedGainDB
    var choice = Choice(plan: .passThrough(nil))
    if hasLFE {
      choice.lfeGainDB = lfe
      if lfe == nil { log.decide(.lfe, "dropped", why: "asked for by \(setting: .lfeGain) off") }
    }
    switch rendition.endpoint {
    case .headphones(let listener):
      guard listener.room != nil || !listener.roomTail else {
        throw Listener.lacksRoom
      }
      note(listener.positions)
      note(listener)
      choice.plan = .binaural(listener, lfeGainDB: lfe)
    case .speakers(let pair):
      note(pair.positions)
      choice.plan = .speakers(pair, lfeGainDB: lfe)
    case .channels: break
    }
    return choice
  }

  private func note(_ positions: SpeakerPositions) {
    let moved = positions.entries.map { entry in
      let place = entry.direction
      return "\(entry.name) \(Decibels.signedText(place.azimuth))°/"
        + "\(Decibels.signedText(place.elevation))°"
    }
    guard !moved.isEmpty else { return }
    log.decide(
      .positions, moved.joined(separator: ", "), why: "asked for by \(setting: .speakerPositions)")
  }

  private func note(_ listener: Listener) {
    switch listener.head {
    case .moving(let trajectory):
      let points = trajectory.points
      let ends = [points.first, points.last].map { Double($0?.time.milliseconds ?? 0) / 1000 }
      log.decide(
        .head,
        points.count.counted("pose", "poses") + (trajectory.origin.map { " of \($0)" } ?? "")
          + " from \(Decibels.text(ends[0])) to \(Decibels.text(ends[1])) s",
        why: "asked for by \(setting: .trajectory); before and after them the head rests")
    case .still(let pose) where pose != .ahead:
      log.decide(
        .head,
        "yaw \(Decibels.signedText(pose.yaw))°, pitch \(Decibels.signedText(pose.pitch))°, roll "
          + "\(Decibels.signedText(pose.roll))°",
        why: "asked for by \(setting: .yaw), \(setting: .pitch) and \(setting: .roll)")
    case .still: break
    }
  }

  /// A passive mix with the gains of ``DownmixMatrix`` or the programme's own; the layout itself passes
  /// through.
  private func downmix(_ format: AudioFormat, to layout: ChannelLayout) throws -> Choice {
    guard format.layout != layout else { return Choice(plan: .passThrough(nil)) }
    if let larger = try larger(format, layout) { return larger }
    var rendition = rendition
    // The file's own mix was done by the decoder; only one step is left, the change of names in 5.1.
    if programme.facts.isMixedByFile == true { rendition.downmix = .standard }
    let chosen = DownmixSelection(rendition: rendition, log: log, carried: programme.facts.downmix)
      .choose(format.layout, to: layout)
    let options = chosen.options
    let matrix = try DownmixMatrix(from: format.layout, to: layout, options: options)
    var choice = Choice(
      plan: .mix(
        RendererPlan.Mix(
          layout: layout, method: chosen.method, source: chosen.source, options: options)))
    choice.downmix = RenderReport.Render.Downmix(
      method: chosen.method, source: chosen.source, inputs: matrix.inputs,
      outputs: matrix.outputs, gains: matrix.gains)
    let bass = format.layout.speakers.indices.filter { format.layout.speakers[$0].isLFE }
    guard bass.contains(where: { channel in matrix.gains.allSatisfy { $0[channel] == 0 } }) else {
      if !bass.isEmpty { choice.lfeGainDB = rendition.lfe.downmixedGainDB ?? options.lfeGainDB }
      return choice
    }
    if rendition.lfe == .dropped {
      log.decide(.lfe, "dropped", why: "asked for by \(setting: .lfeGain) off")
    } else {
      log.degrade(
        .lfeDropped,
        "the downmix to \(layout.name) leaves LFE out, "
          + (chosen.isOwn ? "since the programme sends no gain for it" : "as ITU-R BS.775 says")
          + "; \(setting: .lfeGain) 0 mixes it in, \(setting: .lfeGain) off says that it may go")
    }
    return choice
  }

  /// Virtualisation of the programme before this run; `nil` when it has none.
  private func before(_ format: AudioFormat) throws -> Virtualization? {
    switch rendition.alreadyVirtualized {
    case .no: return nil
    case .auto: return format.layout == .stereo ? programme.facts.virtualization : nil
    case .yes:
      guard format.layout == .stereo else {
        throw MediaError(
          .usage,
          "\(setting: .alreadyVirtualized) yes: a virtualised programme is stereo, but this one is "
            + "\(format.layout)")
      }
      return programme.facts.virtualization
        ?? (rendition.endpoint.kind == .speakers ? .speakers : .binaural)
    }
  }
}
