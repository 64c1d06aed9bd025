// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Signal
import Spatial

/// Makes the stages that plans name, and loads each HRTF set once.
final class RendererMaker {
  private let loader: HRTFLoader
  private var loaded: [HRTFRequest: HRTFLoader.Loaded] = [:]
  /// Rooms as views besides the one ahead hear them.
  private var turned: [Turned: [ChannelSet]] = [:]

  private struct Turned: Hashable {
    let hrtf: HRTFRequest
    let views: [Int]
  }

  init(_ environment: RenderEnvironment) {
    loader = HRTFLoader(
      cache: environment.cacheFolder.map { HRTFCache(folder: $0) },
      reading: environment.sofaReading, shared: environment.sharedSets)
  }

  /// The set that `hrtf` asks for.
  /// - Throws: what ``HRTFLoader/load(_:)`` throws.
  func load(_ hrtf: HRTFRequest) throws -> HRTFLoader.Loaded {
    if let found = loaded[hrtf] { return found }
    let fresh = try loader.load(hrtf)
    loaded[hrtf] = fresh
    return fresh
  }

  /// The set that `hrtf` asks for, as reports name it; changes to its delays are reported in `log`.
  /// - Throws: what ``HRTFLoader/load(_:)`` throws.
  func describe(_ hrtf: HRTFRequest, _ log: DiagnosticLog) throws -> RenderReport.Render.HRTF {
    let loaded = try load(hrtf)
    var report = RenderReport.Render.HRTF(id: loaded.id, sha256: loaded.sha256)
    let set: HRTFSet
    switch loaded.content {
    case .directions(let directions): set = directions
    case .channels(let channels):
      report.gainDB = channels.gainDB
      log.decide(
        .hrtfSet,
        "\(channels.speakers) loudspeakers, \(Decibels.signedText(channels.gainDB)) dB",
        why:
          "\(loaded.id) holds responses of single loudspeakers, which are played as they are, at the level of the built-in set"
      )
      return report
    }
    if !hrtf.options.isProcessed { report.processing = "off" }
    guard set.delayScale != 1 else { return report }
    report.delayScale = set.delayScale
    let asker =
      switch hrtf.options.head {
      case .circumference(let length):
        "\(setting: .headCircumference) \(Decibels.text(length)) asks for it"
      default: "\(setting: .delayScale) asks for it"
      }
    log.decide(
      .headSize, "delays between the ears × \(set.delayScale.fixed(3) ?? "?")",
      why: "\(asker); the filters of \(set.id) stay as measured")
    return report
  }

  /// The room that `plan` simulates or plays, as reports give its figures for sound of `rate` Hz; `nil` for none. The choice is reported in
  /// `log`.
  /// - Throws: what ``HRTFLoader/load(_:)`` throws.
  func describe(
    roomOf plan: RendererPlan, rate: Int, _ log: DiagnosticLog
  ) throws -> RenderReport.Render.Room? {
    guard let listener = plan.listener, let hrtf = listener.hrtf,
      (8000...384_000).contains(rate)
    else { return nil }
    let (name, acoustics): (String, RoomAcoustics)
    var view = ""
    switch (hrtf.choice, try load(hrtf).content) {
    case (.room, .channels(let set)):
      try RendererMaker.check(listener, set)
      view = try RendererMaker.text(of: listener.head, in: set)
      (name, acoustics) = (set.id, RoomAcoustics(set))
    case (_, .directions(let set)):
      guard let room = listener.room else { return nil }
      name = room.rawValue
      acoustics = RoomAcoustics(room, hasTail: listener.roomTail, set, rate: rate)
    default: return nil
    }
    log.decide(
      .room, listener.roomTail ? "\(name) with its reverberation" : name,
      why: "asked for by \(setting: .room)"
        + (listener.roomTail ? " and \(setting: .roomTail) on" : "")
        + "; the direct sound of the front left loudspeaker has "
        + "\(Decibels.signedText(acoustics.directToReverberantDB)) dB against all that follows (500 Hz and 1 kHz)\(view)"
    )
    return RenderReport.Render.Room(
      id: name, tailSeconds: acoustics.tailSeconds,
      directToReverberantDB: acoustics.directToReverberantDB,
      octaves: acoustics.octaves.map {
        .init(
          frequencyHz: $0.frequency, decaySeconds: $0.decaySeconds,
          directToReverberantDB: $0.directToReverberantDB)
      })
  }

  /// The renderer that `plan` names for `programme`; `nil` passes the channels through. If the programme is kept, the result is
  /// the renderer by which its level is measured.
  /// - Throws: ``MediaError`` when its HRTF set can't be loaded, or holds single loudspeakers and the programme more than a bed.
  func make(_ plan: RendererPlan, for programme: Programme) throws -> (any Renderer)? {
    switch plan {
    case .passThrough: return nil
    case .mix(let mix):
      return BedRenderer(
        Downmixer(to: mix.layout, options: mix.options), name: "the downmix")
    case .binaural(let listener, let lfe):
      guard let hrtf = listener.hrtf else { return nil }
      if case .channels(let set) = try load(hrtf).content, programme.bedFormat != nil {
        try RendererMaker.check(listener, set)
        return BedRenderer(
          try play(set, listener.head, hrtf, lfeGainDB: lfe), name: "the headphone renderer")
      }
      var options = SceneOptions(
        lfeGainDB: lfe, positions: listener.positions, room: listener.room,
        roomTail: listener.roomTail, mapping: listener.objectAngles)
      switch listener.head {
      case .still(let pose): options.pose = pose
      case .moving(let trajectory): options.trajectory = trajectory
      }
      return SceneRenderer(hrtf: try load(hrtf).set, options: options)
    case .speakers(let pair, let lfe):
      guard let hrtf = pair.hrtf else { return nil }
      return SceneRenderer(
        hrtf: try load(hrtf).set,
        options: SceneOptions(
          lfeGainDB: lfe, positions: pair.positions, mapping: pair.objectAngles, span: pair.span))
    case .loudspeakers(let layout), .kept(measuredIn: let layout):
      return LoudspeakerRenderer(layout: layout)
    }
  }

  /// Loudspeakers that were measured stand where they stood, and only rooms may have been measured with heads that turn.
  private static func check(_ listener: Listener, _ set: ChannelSet) throws {
    let isPlain = listener.positions == .standard && listener.room == nil
    guard isPlain, set.views != nil || listener.head == .still(.ahead) else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "holds responses of loudspeakers in their places; leave out \(setting: .speakerPositions)"
          + (set.views == nil
            ? ", \(setting: .yaw), \(setting: .pitch), \(setting: .roll), \(setting: .trajectory) and \(setting: .room), or give a SOFA file"
            : "")
      )
    }
  }

  /// The renderer of loudspeakers that were measured, for a head as `head` says.
  /// - Throws: ``MediaError`` where no view of the room is near to the head, and what reading the views throws.
  private func play(
    _ set: ChannelSet, _ head: Listener.Head, _ hrtf: HRTFRequest, lfeGainDB: Double?
  ) throws -> ChannelSetRenderer {
    guard let views = set.views else { return ChannelSetRenderer(set, lfeGainDB: lfeGainDB) }
    let heard = try RendererMaker.views(of: head, in: set)
    let turned = heard == [views.ahead] ? [set] : try turned(set, hrtf, heard)
    if case .moving(let trajectory) = head, turned.count > 1 {
      return ChannelSetRenderer(
        set, turns: .init(turned, views.only(heard), trajectory), lfeGainDB: lfeGainDB)
    }
    return ChannelSetRenderer(turned.first ?? set, lfeGainDB: lfeGainDB)
  }

  private func turned(
    _ set: ChannelSet, _ hrtf: HRTFRequest, _ views: [Int]
  ) throws -> [ChannelSet] {
    let key = Turned(hrtf: hrtf, views: views)
    if let found = turned[key] { return found }
    // Without its file, only the view ahead could be played, which isn't what was asked for.
    guard let path = hrtf.choice.path else {
      throw MediaError(.internal, about: set.id, "has several views but no file to read them from")
    }
    let fresh = try loader.turned(set, path: path, sha256: load(hrtf).sha256, views: views)
    turned[key] = fresh
    return fresh
  }

  /// The views of the room `set` by which a head is heard, ascending.
  /// - Throws: ``MediaError`` where none is near to the head.
  private static func views(of head: Listener.Head, in set: ChannelSet) throws -> [Int] {
    guard let views = set.views else { return [] }
    switch head {
    case .still(let pose): return [try views.view(for: pose, in: set.id).view]
    case .moving(let trajectory): return try views.views(along: trajectory, in: set.id)
    }
  }

  /// By which views of the room `set` a head is heard, in words that follow others; empty for one that looks ahead.
  /// - Throws: ``MediaError`` where none is near to the head.
  private static func text(of head: Listener.Head, in set: ChannelSet) throws -> String {
    guard let views = set.views, head != .still(.ahead) else { return "" }
    switch head {
    case .still(let pose):
      let found = try views.view(for: pose, in: set.id)
      let yaw = Decibels.signedText(views.yaws[found.view])
      return "; it is heard by the view at yaw \(yaw)°, which is nearest, "
        + "\(Decibels.text(found.distance))° from \(setting: .yaw)"
    case .moving:
      let heard = try RendererMaker.views(of: head, in: set)
      let yaws = [heard.first, heard.last].map { place in
        Decibels.signedText(place.map { views.yaws[$0] } ?? 0)
      }
      return heard.count == 1
        ? "; the head stays at the view at yaw \(yaws[0])°"
        : "; the head comes by \(heard.count) views of \(views.yaws.count), from yaw \(yaws[0])° to \(yaws[1])°, and hears the "
          + "nearest one"
    }
  }
}
