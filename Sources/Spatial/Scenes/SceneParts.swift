import AudioCore
import LibAV
import Platform

/// What a scene's filters and convolvers are, made once for a programme.
final class SceneParts {
  /// Samples of a hop, for which filters are made.
  let hop: Int
  /// Samples that are rendered together: some hops, because what a voice's filters are mixed from hardly
  /// changes from hop to hop and would otherwise be fetched from far memory for each.
  let step: Int
  /// When each way to the ears delivers.
  let timing: SceneTiming
  /// From ears to loudspeakers; `nil` for headphones.
  let canceller: CrosstalkCanceller?
  /// Channels that rest.
  let channels: StaticChannels?
  /// The low-pass of LFE channels; `nil` without one.
  let bass: MonoConvolver?
  /// Sums voices.
  let mixer: VoiceMixer
  /// Plays diffuse sound.
  let bus: DiffuseBus
  /// Plays reflections of voices; `nil` without a room or voices.
  let room: ReflectionBus?
  /// The late part of a room; `nil` without one.
  let late: (room: LateRoom, bus: LateBus)?
  /// Filters of a room around a head at rest; `nil` without a room and with a moving head.
  let roomFilters: RoomFilters?
  /// Works out what objects ask for.
  let maker: SoundMaker
  /// What tracks share.
  let setting: TrackSetting

  /// Amplitude of the reflections of channels.
  private let reflections: Double

  /// Parts for `elements` at `rate`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for sound fields above order 7.
  init(_ hrtf: HRTFSet, _ elements: SceneElements, rate: Int, _ options: SceneOptions) throws {
    let plain = HRIRDesigner(hrtf, rate: rate)
    let mended = HRIRDesigner(hrtf, rate: rate, mended: true)
    let canceller = options.span.map { span in
      CrosstalkCanceller(
        plain, span: span, rate: rate, bandwidth: Double(hrtf.sourceRate) / 2)
    }
    roomFilters =
      options.trajectory == nil
      ? options.room.map { RoomFilters($0.shoebox, plain, rate: rate, pose: options.pose) } : nil
    let channels = try StaticChannels(elements, hrtf, plain, roomFilters, rate: rate, options)
    let gain = elements.hasBass ? options.lfeGainDB : nil
    let hop = SceneParts.hop(rate: rate)
    var bins = hop
    while 2 * bins < hop + plain.lead + plain.tail { bins *= 2 }
    bins = max(64, bins)
    let filters = VoiceFilters(ObjectFilters(mended, hrtf, bins: bins), lead: plain.lead)
    let hasVoices = !elements.objects.isEmpty || options.trajectory != nil
    let room = try options.room.flatMap { model in
      hasVoices
        ? try ReflectionBus(model.shoebox, hrtf, rate: rate, hop: hop, options) : nil
    }
    let step = 2 * hop
    late = (options.roomTail ? options.room : nil).map { model in
      let room = LateRoom(model, plain, rate: rate)
      return (room, LateBus(room, frames: step))
    }
    let longest = max(
      channels?.taps ?? 0, room.map { $0.taps + $0.length } ?? 0, late?.room.taps ?? 0)
    timing = SceneTiming(
      lead: plain.lead, tail: plain.tail, longest: longest - plain.lead - 1,
      cancellerDelay: canceller?.delay ?? 0,
      bassHalf: gain.map { _ in LFEFilter.half(rate: rate) },
      hasObjects: !elements.objects.isEmpty)
    bass = gain.map { decibels in
      // The LFE gain is relative to a main channel, so it includes the frontal response's bass.
      let gain = pow(10, decibels / 20) * plain.frontalGain(at: 60) * (canceller?.bassGain ?? 1)
      return MonoConvolver(taps: LFEFilter.taps(rate: rate).map { $0 * gain })
    }
    self.hop = hop
    self.step = step
    self.canceller = canceller
    self.channels = channels
    mixer = VoiceMixer(filters, hop: hop, step: step)
    bus = DiffuseBus(mended)
    self.room = room
    reflections = options.room == nil ? 0 : 1
    maker = SoundMaker(options)
    setting = TrackSetting(
      step: step, history: 2 * bins - hop, jump: Double(rate) / 500,
      makeFilter: { filters.makeFilter() })
  }

  /// A voice that stays at `place`.
  func makeVoice(at place: SIMD3<Double>) -> ObjectVoice {
    let voice = ObjectVoice(
      course: VoiceCourse(place, VoiceShape(reflections: reflections)), gain: GainLine(1),
      history: setting.history, step: step, makeFilter: setting.makeFilter)
    voice.startsExact = true
    return voice
  }

  /// Samples of a hop at `rate`: 256 at 44.1 and 48 kHz, scaled by powers of two.
  static func hop(rate: Int) -> Int {
    var hop = 32
    while 2 * hop <= rate / 164 { hop *= 2 }
    return hop
  }
}
