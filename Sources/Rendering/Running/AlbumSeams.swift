import AudioCore

/// The seams of an album whose tracks run into each other, so that filters go on across them.
///
/// Filters that begin and end with a file leave a click where two files meet. A track that goes on in the next
/// one is therefore rendered with the end of the track before and the beginning of the next one around it, of which
/// nothing is stored. Used by the runs of an album, one after another.
final class AlbumSeams {
  /// The first samples of a track.
  private struct Beginning {
    let format: AudioFormat?
    let samples: AudioBuffer
  }

  private let requests: [RenderRequest]
  /// Number of the track that is being rendered; −1 before the first.
  private var current = -1
  private var programme: Programme?
  private var reach = Branch.Reach()
  /// Why the filters of the current track begin and end with it; `nil` where they needn't.
  private var obstacle: String?
  /// The last samples so far, of the tracks before as well where they run into the current one.
  private var past: AudioBuffer?
  /// The first samples of the next track.
  private var next: Beginning?

  /// The seams between the tracks of `requests`.
  init(_ requests: [RenderRequest]) { self.requests = requests }

  /// Begins the next track, which isn't one clip.
  func pass() {
    current += 1
    (programme, past, next) = (nil, nil, nil)
  }

  /// Begins the next track, which holds `programme` and goes through `branch`.
  /// - Returns: what lies before it; `nil` where it begins by itself.
  func begin(
    _ programme: Programme, _ branch: Branch, isCancelled: @escaping () -> Bool,
    _ log: DiagnosticLog
  ) -> ProgrammeBlock? {
    current += 1
    let (former, before, first) = (self.programme, past, next)
    self.programme = programme
    reach = branch.reach
    obstacle = AlbumSeams.obstacle(branch)
    past = AudioBuffer(channels: programme.planes)
    next = nil
    guard reach.isAny else { return nil }
    next = beginning(of: current + 1, programme.sampleRate, isCancelled)
    guard let former, let before, let first, runs(before, of: former, into: first) else {
      return nil
    }
    let reason =
      obstacle ?? difference(former.bedFormat, programme.bedFormat, current - 1, current)
    if let reason {
      log.degrade(
        .albumSeam,
        "it goes on where \(requests[current - 1].name) ends, but \(reason), so the filters of each begin and end "
          + "alone and a click may be heard between them; make one queue of them (\(setting: .queue)), which a folder "
          + "as the output gets as tracks")
      return nil
    }
    past = before
    let lead = AudioBuffer(channels: before.channels)
    lead.append(before)
    return ProgrammeBlock(programme, audio: lead)
  }

  /// Takes the next samples of the current track.
  func note(_ block: ProgrammeBlock) {
    guard reach.isAny, let past else { return }
    past.append(block.audio)
    let kept = kept
    if past.frames > 2 * kept { past.removeFirst(past.frames - kept) }
  }

  /// Ends the current track.
  /// - Returns: what lies behind it; `nil` where it ends by itself.
  func end() -> ProgrammeBlock? {
    guard reach.isAny, let programme, let past else { return nil }
    past.removeFirst(max(0, past.frames - kept))
    guard let next, obstacle == nil, runs(past, of: programme, into: next),
      difference(programme.bedFormat, next.format, current, current + 1) == nil
    else { return nil }
    let trail = AudioBuffer(channels: next.samples.channels)
    trail.append(next.samples)
    return ProgrammeBlock(programme, audio: trail)
  }

  /// Samples that are kept of what is over: all that filters remember, and a second for those whose response never
  /// quite ends.
  private var kept: Int {
    max(programme?.sampleRate ?? 0, reach.ahead + reach.behind)
  }

  /// The first samples of track number `index`, as many as filters look ahead; `nil` where they can't be read twice, and
  /// where they can't be read at all, which the track's own run says.
  private func beginning(
    of index: Int, _ rate: Int, _ isCancelled: @escaping () -> Bool
  ) -> Beginning? {
    guard requests.indices.contains(index) else { return nil }
    let request = requests[index]
    if case .standardStream = request.clips[0].input { return nil }
    // The track's own run reports what there is to say of it.
    let log = DiagnosticLog()
    let opener = ClipOpener(log: log, isCancelled: isCancelled)
    guard let input = try? opener.input(of: request.clips[0]) as? any ClipInput,
      let clip = try? input.clip(of: request, log)
    else { return nil }
    let block = ProgrammeBlock(clip.programme)
    let count = max(reach.ahead, rate / OutputEdges.parts)
    guard (try? clip.source.fill(block, count)) != nil else { return nil }
    block.audio.truncate(to: count)
    return Beginning(format: clip.programme.bedFormat, samples: block.audio)
  }

  /// Whether the sound of `past`, the end of a track that holds `former`, goes on in `beginning`. Levels alone don't
  /// show it: tracks that have nothing to do with each other may be loud where they meet.
  private func runs(_ past: AudioBuffer, of former: Programme, into beginning: Beginning) -> Bool {
    let length = former.sampleRate / OutputEdges.parts
    let end = max(0, past.frames - length)..<past.frames
    let samples = beginning.samples
    let count = (programme?.sampleRate ?? 0) / OutputEdges.parts
    let start = 0..<min(samples.frames, count)
    return OutputEdges.peak(past, end) > OutputEdges.silence
      && OutputEdges.peak(samples, start) > OutputEdges.silence
      && OutputEdges.isSteady(past, end, samples, start)
  }

  /// Why sound can't go on from a track of the format `former` into one of the format `own`, which have these numbers;
  /// `nil` where it can.
  private func difference(
    _ former: AudioFormat?, _ own: AudioFormat?, _ first: Int, _ second: Int
  ) -> String? {
    guard let former, let own else { return "one of them holds more than channels" }
    guard former.sampleRate == own.sampleRate else { return "they have different rates" }
    guard former.layout == own.layout else { return "they have different layouts" }
    let renditions = [first, second].map { requests[$0].outputs.first?.rendition }
    return renditions[0] == renditions[1] ? nil : "they are rendered in different ways"
  }

  /// Why the filters of `branch` can't go on across a seam; `nil` where they can.
  private static func obstacle(_ branch: Branch) -> String? {
    let plan = branch.plan
    if branch.convertsRate { return "their rate is converted" }
    if plan.keepsHead || plan.keepsTail {
      return "what filters put before or behind each of them is kept"
    }
    if case .moving = plan.renderer.listener?.head { return "the head moves anew in each of them" }
    // Others may count time from their first sample, or remember more than they state.
    let steady: Set<String> = ["eq", "fir"]
    let other = plan.taps.first { $0.point != .output && !steady.contains($0.kind) }
    return other.map { "\($0.title) begins anew with each of them" }
  }
}
