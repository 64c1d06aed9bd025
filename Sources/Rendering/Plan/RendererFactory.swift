import Signal
import AudioCore
import LibAV
import MediaIn
import Report
import Spatial

/// Chooses and builds the renderer of each endpoint and tells why.
final class RendererFactory {
  /// What an output's renderer is.
  struct Choice {
    /// The renderer; `nil` passes the channels of a bed through, without a copy.
    var renderer: (any Renderer)?
    /// How the output is virtualised, by us or before us.
    var virtualization: Virtualization?
    /// The HRTF set used.
    var hrtf: RenderReport.Render.HRTF?
    /// Level of the LFE channels in dB; `nil` when there are none or they are dropped.
    var lfeGainDB: Double?
    /// Angle between the loudspeakers in degrees.
    var speakerSpan: Double?
    /// The gains of a downmix.
    var downmix: RenderReport.Render.Downmix?
  }

  private let job: RenderJob
  private let log: DiagnosticLog
  private let programme: Programme
  private let downmixes: DownmixSelection
  private var loaded: (set: HRTFSet, report: RenderReport.Render.HRTF)?

  /// A factory of renderers for `programme`.
  init(job: RenderJob, log: DiagnosticLog, programme: Programme) {
    self.job = job
    self.log = log
    self.programme = programme
    downmixes = DownmixSelection(job: job, log: log, carried: programme.facts.downmix)
  }

  /// The renderer for `endpoint`.
  /// - Throws: ``MediaError``; of kind `unsupportedFeature` for a programme that isn't one bed.
  func make(_ endpoint: Endpoint) throws -> Choice {
    let format = try programme.bedFormat(for: "the endpoint \(endpoint.rawValue)")
    let choice = try choose(endpoint, format)
    if job.downmix == .stream, choice.downmix == nil {
      log.decide(
        "downmix", "none",
        why: "nothing is mixed down for the endpoint \(endpoint.rawValue); --downmix stream has no "
          + "effect there")
    }
    return choice
  }

  private func choose(_ endpoint: Endpoint, _ format: AudioFormat) throws -> Choice {
    let before = try virtualizedBefore(endpoint, format)
    switch endpoint {
    case .none:
      guard let layout = job.layout, layout != format.layout else {
        log.decide("endpoint", "none", why: "channels are left as they are")
        return Choice(virtualization: before)
      }
      log.decide("layout", layout.name, why: "asked for by --layout")
      return try downmix(format, to: layout)
    case .headphones, .speakers:
      if let before { return passThrough(before, endpoint) }
      guard job.isVirtualizerOn else {
        log.decide("virtualizer", "off", why: "asked for by --virtualizer off")
        return try downmix(format, to: .stereo)
      }
      return try virtualize(endpoint, format)
    }
  }

  private func passThrough(_ before: Virtualization, _ endpoint: Endpoint) -> Choice {
    log.decide(
      "virtualizer", "passed through", why: "the input is virtualised already; never twice")
    if (before == .binaural) != (endpoint == .headphones) {
      log.degrade(
        "other-endpoint",
        "the input is virtualised for \(before == .binaural ? "headphones" : "loudspeakers") and "
          + "is passed through as it is; render the original for --endpoint \(endpoint.rawValue)")
    }
    return Choice(virtualization: before)
  }

  private func virtualize(_ endpoint: Endpoint, _ format: AudioFormat) throws -> Choice {
    let hrtf = try load()
    if !job.hrtfOptions.isSymmetrised {
      log.decide(
        "hrtf-symmetry", "off",
        why: "asked for by --hrtf-symmetry off; left and right stay as they were measured")
    }
    let lfe = job.lfe.virtualizedGainDB
    var choice = Choice(hrtf: hrtf.report)
    if format.layout.speakers.contains(where: \.isLFE) {
      choice.lfeGainDB = lfe
      if lfe == nil { log.decide("lfe", "dropped", why: "asked for by --lfe-gain off") }
    }
    noteListener(endpoint)
    if endpoint == .headphones {
      choice.virtualization = .binaural
      let renderer = BinauralRenderer(
        hrtf: hrtf.set,
        options: BinauralOptions(
          lfeGainDB: lfe, positions: job.positions, pose: job.pose, trajectory: job.trajectory,
          room: job.room))
      choice.renderer = BedRenderer(renderer, name: "the headphone renderer")
    } else {
      choice.virtualization = .speakers
      choice.speakerSpan = job.speakerSpan
      let renderer = SpeakerVirtualizer(
        hrtf: hrtf.set,
        options: SpeakerOptions(
          spanDegrees: job.speakerSpan, lfeGainDB: lfe, positions: job.positions))
      choice.renderer = BedRenderer(renderer, name: "the loudspeaker renderer")
    }
    return choice
  }

  /// Notes what was asked for about the listener and the loudspeakers around.
  private func noteListener(_ endpoint: Endpoint) {
    let moved = job.positions.entries.map { entry in
      let place = entry.direction
      return
        "\(entry.name) \(Decibels.signedText(place.azimuth))°/\(Decibels.signedText(place.elevation))°"
    }
    if !moved.isEmpty {
      log.decide("positions", moved.joined(separator: ", "), why: "asked for by --speakers")
    }
    guard endpoint == .headphones else { return }
    if let room = job.room { log.decide("room", room.rawValue, why: "asked for by --room") }
    if let trajectory = job.trajectory {
      log.decide(
        "head", "\(trajectory.points.count) poses", why: "asked for by --trajectory")
    } else if job.pose != .ahead {
      let pose = job.pose
      log.decide(
        "head",
        "yaw \(Decibels.signedText(pose.yaw))°, pitch \(Decibels.signedText(pose.pitch))°, roll "
          + "\(Decibels.signedText(pose.roll))°", why: "asked for by --yaw, --pitch and --roll")
    }
  }

  /// A passive mix with the gains of ``DownmixMatrix`` or the programme's own; the layout itself
  /// passes through.
  private func downmix(_ format: AudioFormat, to layout: ChannelLayout) throws -> Choice {
    guard format.layout != layout else { return Choice() }
    let chosen = downmixes.choose(format.layout, to: layout)
    let options = chosen.options
    let matrix = try DownmixMatrix(from: format.layout, to: layout, options: options)
    var choice = Choice(
      renderer: BedRenderer(Downmixer(to: layout, options: options), name: "the downmix"))
    choice.downmix = RenderReport.Render.Downmix(
      method: chosen.method, source: chosen.source, inputs: matrix.inputs,
      outputs: matrix.outputs, gains: matrix.gains)
    let bass = format.layout.speakers.indices.filter { format.layout.speakers[$0].isLFE }
    guard bass.contains(where: { channel in matrix.gains.allSatisfy { $0[channel] == 0 } }) else {
      if !bass.isEmpty { choice.lfeGainDB = job.lfe.downmixedGainDB ?? options.lfeGainDB }
      return choice
    }
    if job.lfe == .dropped {
      log.decide("lfe", "dropped", why: "asked for by --lfe-gain off")
    } else {
      log.degrade(
        "lfe-dropped",
        "the downmix to \(layout.name) leaves LFE out, "
          + (chosen.isOwn ? "since the programme sends no gain for it" : "as ITU-R BS.775 says")
          + "; --lfe-gain 0 mixes it in, --lfe-gain off says that it may go")
    }
    return choice
  }

  private func virtualizedBefore(
    _ endpoint: Endpoint, _ format: AudioFormat
  ) throws -> Virtualization? {
    switch job.alreadyVirtualized {
    case .no: return nil
    case .auto: return format.layout == .stereo ? programme.facts.virtualization : nil
    case .yes:
      guard format.layout == .stereo else {
        throw MediaError(
          .usage,
          "--already-virtualized yes: a virtualised programme is stereo, but this one is "
            + "\(format.layout)")
      }
      return programme.facts.virtualization ?? (endpoint == .speakers ? .speakers : .binaural)
    }
  }

  private func load() throws -> (set: HRTFSet, report: RenderReport.Render.HRTF) {
    if let loaded { return loaded }
    let found = try HRTFLoader(
      cache: job.cacheFolder.map { HRTFCache(folder: $0) }, reading: job.sofaReading
    )
    .load(job.hrtf, options: job.hrtfOptions)
    let report = RenderReport.Render.HRTF(id: found.set.id, sha256: found.sha256)
    loaded = (found.set, report)
    return (found.set, report)
  }
}
