import AudioCore
import LibAV
import Platform

/// Plays the reflections of voices, which may move, for a head that may turn.
///
/// Each of a voice's 24 image sources has a place in the room, a delay and a gain, none of which depends
/// on the head. All images together make a sound field of the third order, which turns against the head
/// and goes through its filters: its cost doesn't depend on the number of voices. Images behind the same
/// surfaces are summed before they pass these surfaces' shelves.
///
/// Delays are rounded to whole samples, the same at both ears. Where a voice moves, each image fades within
/// a hop from its old place, delay and gain to the new ones, so that nothing changes pitch. The reflections
/// come from where the voice is when they are heard; soon after it falls silent, what still rings stays where it is.
/// Under a head at rest, a voice has exact reflections as long as it stays where it was at sample 0.
final class ReflectionBus {
  /// Taps of the field's filters, which have the lead of ``HRIRDesigner``.
  let taps: Int
  /// Samples that the longest delay and the shelves add.
  let length: Int

  private let images: RoomImages
  private let hop: Int
  private let shelves: [[SurfaceShelf]]
  private let convolver: SceneConvolver
  /// The images of one class.
  private let sums: ReflectionSums
  /// All classes.
  private let total: AlignedFloats
  private let field = AudioBuffer(channels: RoomImages.planes)
  private var sources: [ReflectionSource] = []
  private var resting: RestingReflections?

  /// A bus for reflections in `shoebox` as the head of `hrtf` hears them.
  /// - Throws: what ``SceneConvolver`` throws.
  init(_ shoebox: Shoebox, _ hrtf: HRTFSet, rate: Int, hop: Int, _ options: SceneOptions) throws {
    images = RoomImages(shoebox, rate: rate)
    self.hop = hop
    convolver = try SceneConvolver(
      order: RoomImages.order, hrtf: hrtf, rate: rate, pose: options.pose,
      trajectory: options.trajectory)
    taps = convolver.taps
    length = images.longest + Reflection.ring(rate: rate)
    shelves = images.classes.map { kind in
      kind.surfaces.map { SurfaceShelf($0, lanes: RoomImages.planes, rate: rate) }
    }
    sums = ReflectionSums(hop: hop)
    total = AlignedFloats(count: hop * RoomImages.planes)
    field.grow(by: hop)
  }

  /// Gives voices that rest at sample 0 the exact filters of a bed, `filters`, until they move.
  func begin(_ voices: [ObjectVoice], _ filters: RoomFilters) {
    let held = voices.filter { voice in
      let image = ReflectionBus.image(of: voice, at: 0)
      return image.gain > 0 && image == ReflectionBus.image(of: voice, at: hop)
    }
    resting = RestingReflections(filters, held.map { $0.course.place(at: 0) }, hop: hop)
    guard let resting else { return }
    for voice in held {
      let source = ReflectionSource(images, hop: hop, ReflectionBus.image(of: voice, at: 0))
      source.begin(in: resting)
      voice.reflections = source
    }
  }

  /// Plays a step of `frames` samples, some hops, that begins at sample `start`, in which `voices` are heard,
  /// and appends what is ready to the two planes of `output`, and of `still` for those that have never moved.
  func play(
    _ voices: [ObjectVoice], start: Int, frames: Int, into output: AudioBuffer,
    still: AudioBuffer
  ) {
    for offset in stride(from: 0, to: frames, by: hop) {
      take(voices, start: start, offset: offset)
      playHop(into: output, still: still)
    }
  }

  /// Plays the hop that all sources have taken.
  private func playHop(into output: AudioBuffer, still: AudioBuffer) {
    if let resting { resting.play(into: still) } else { still.appendSilence(hop) }
    total.base.update(repeating: 0, count: total.count)
    for (kind, shelves) in zip(images.classes, shelves) {
      for source in sources { source.list(kind.images, in: sums) }
      sums.sum()
      for shelf in shelves { shelf.process(sums.lanes.base, count: hop) }
      let (from, to) = (sums.lanes.base, total.base)
      for index in 0..<total.count { to[index] += from[index] }
    }
    let planes = (0..<RoomImages.planes).compactMap { plane -> UnsafePointer<Float>? in
      guard let target = field.channel(plane).baseAddress else { return nil }
      for index in 0..<hop { target[index] = total.base[index * RoomImages.planes + plane] }
      return UnsafePointer(target)
    }
    convolver.process(planes, frames: hop, into: output)
  }

  /// Gives all sources their hop, `offset` samples into the step that begins at sample `start`, those whose
  /// voices are silent by now a silent one, and forgets those that aren't heard any more.
  private func take(_ voices: [ObjectVoice], start: Int, offset: Int) {
    for voice in voices { take(voice, start: start, offset: offset) }
    for source in sources {
      if !source.hasHop { source.takeSilence() }
      source.hasHop = false
    }
    sources.removeAll { $0.isSilent }
  }

  private func take(_ voice: ObjectVoice, start: Int, offset: Int) {
    let time = start + offset
    let first = ReflectionBus.image(of: voice, at: time)
    let end = ReflectionBus.image(of: voice, at: time + hop)
    guard voice.reflections != nil || first.gain > 0 || end.gain > 0 else { return }
    let source = voice.reflections ?? ReflectionSource(images, hop: hop, first)
    voice.reflections = source
    if source.isSilent { sources.append(source) }
    source.take(UnsafePointer(voice.newest + offset), images, from: first, to: end)
  }

  /// Where `voice` is in the room at sample `time`, and how loud it is there.
  static func image(of voice: ObjectVoice, at time: Int) -> ReflectionSource.Image {
    let time = Double(time)
    return ReflectionSource.Image(
      place: voice.course.place(at: time), gain: voice.course.shape(at: time).reflections)
  }
}
