// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Loudness
import MediaIn
import Platform
import PlayQueue
import Report
import Signal

/// Tells what a run changes against the run before that wrote the same outputs, by what that run noted in the cache.
///
/// Outputs that hold single tracks of a queue have no history.
final class QueueHistory {
  /// An output that holds the whole programme.
  private struct Output {
    /// Its number among the outputs of the request.
    let number: Int
    let key: SegmentKey
    /// Record of this run.
    var record: QueueRecord
    /// Record of the run before; `nil` where there was none.
    let former: QueueRecord?
    /// Differences between both.
    let changes: [QueueReport.Change]
    /// Samples before a peak over which a limiter may already lower the gain.
    let lookAhead: Int64
  }

  private let policy: SegmentPolicy
  private let name: String
  private let store: RecordStore
  private let outputs: [Output]

  /// The history of the outputs of `request`, which are made as `compiled` says; `run` is what all items depend on,
  /// and `digests` has one SHA-256 for each item, empty for silence.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when samples change that are expected to stay.
  init(
    _ policy: SegmentPolicy, _ request: RenderRequest, _ compiled: QueueCompiler.Compiled,
    _ input: QueueInput, taps: TapLedger, run: RunIdentity, digests: [String]
  ) throws {
    self.policy = policy
    name = input.name
    let store = RecordStore(path: policy.folder)
    self.store = store
    var queue = ListPlace.placed(input.queue)
    // The gain that is really applied is compared, be it pinned or not.
    queue.pinnedGain = nil
    // The effect of an item's taps depends on their files, too.
    for index in queue.items.indices where !queue.items[index].taps.isEmpty {
      queue.items[index].taps = try taps.taps(0).filter { $0.items != nil && $0.isFor(index) }
        .map { "\(try ReportJSON.line($0.plan)) \($0.latency)" }
    }
    outputs = try request.outputs.enumerated().compactMap { number, output in
      guard output.items == nil, case .file(let path) = output.location,
        let rendition = output.rendition
      else { return nil }
      let mix = compiled.mixes[compiled.parts[number].mix]
      let choice = compiled.plan.choices[number]
      var key = SegmentKey.Builder()
      key.add("output", text: ListPlace.absolute(path))
      let record = QueueRecord(
        tools: run.tools,
        settings: run.decoding
          + (try QueueHistory.settings(
            rendition, mix, choice, compiled.plan.plan.branches[number], queue.loudness,
            request.levelling)),
        from: mix.window.lowerBound, queue: queue, placement: mix.placement, digests: digests)
      let former = store.load(key.key).flatMap(QueueRecord.read)
      return Output(
        number: number, key: key.key, record: record, former: former,
        changes: former.map { QueueHistory.changes(from: $0, to: record, mix) } ?? [],
        lookAhead: rendition.level?.peakPolicy == .limit
          ? Int64(LimiterResponse.longestLookAhead(at: mix.format.sampleRate)) : 0)
    }
    try checkPlaces(request)
  }

  /// Changes in the first output; `nil` where no run before is known.
  var report: QueueReport.Former? {
    guard let first = outputs.first, first.number == 0, let former = first.former else {
      return nil
    }
    return QueueReport.Former(gainDB: former.level.gainDB, changes: first.changes)
  }

  /// Makes sure that what is applied to the sum leaves the samples as they were that are expected to stay; `levels`
  /// has one entry for each output of the request.
  /// - Throws: ``MediaError`` of kind `verificationFailed`.
  func check(_ levels: [QueueRecord.Level]) throws {
    guard let limit = policy.unchangedBefore, limit.samples(at: 48_000) > 0 else { return }
    for output in outputs {
      guard let former = output.former, former.level != levels[output.number] else { continue }
      let (old, new) = (former.level.gainDB, levels[output.number].gainDB)
      throw MediaError(
        .verificationFailed, about: name,
        (old == new
          ? "the limiter works in another way than in the run before"
          : "the programme's gain changes from \(Decibels.signedText(old)) to \(Decibels.signedText(new)) dB")
          + ", so samples before \(setting: .unchangedBefore) change; pin the gain with pinna queue pin"
      )
    }
  }

  /// Notes what was made, for the next run; `levels` has one entry for each output of the request.
  func save(_ levels: [QueueRecord.Level]) {
    for output in outputs {
      var record = output.record
      record.level = levels[output.number]
      guard let text = try? ReportJSON.line(record) else { continue }
      store.save(Array(text.utf8), as: output.key)
    }
  }

  private func checkPlaces(_ request: RenderRequest) throws {
    guard let limit = policy.unchangedBefore else { return }
    guard outputs.count == request.outputs.count else {
      throw MediaError(
        .usage,
        "\(setting: .unchangedBefore): is for files that hold a whole queue; leave it out for one file a track"
      )
    }
    for output in outputs {
      let path = request.outputs[output.number].location.name
      guard output.former != nil else {
        throw MediaError(
          .verificationFailed, about: path,
          "the cache in \(policy.folder) knows no run before that wrote it, so nothing shows what changed; "
            + "render it once without \(setting: .unchangedBefore)")
      }
      let rate = output.record.placement.rate
      guard let change = output.changes.first,
        change.from - output.lookAhead < limit.samples(at: rate)
      else { continue }
      let time = MediaTime(ticks: change.from, rate: Int64(rate))
      throw MediaError(
        .verificationFailed, about: name,
        "the programme changes from sample \(change.from) (\(time)) on (\(change.why)), before what "
          + "\(setting: .unchangedBefore) says; change only parts after that time")
    }
  }

  /// All settings besides the files that the samples of an output's sum depend on.
  private static func settings(
    _ rendition: Rendition, _ mix: QueueMix, _ choice: RendererChooser.Choice,
    _ branch: RenderPlan.Branch, _ scope: PlayQueue.LoudnessScope, _ levelling: LevelRequest?
  ) throws -> String {
    var plain = rendition
    // The level acts on the sum, unless each item is brought to it alone.
    plain.level = nil
    // An item's own limiter follows the same rules.
    let target = scope == .programme ? nil : try rendition.level.map { try ReportJSON.line($0) }
    // Items may have a loudness of their own in any scope.
    let dialogue = [
      rendition.level?.anchor?.rawValue,
      try scope == .item ? levelling.map { try ReportJSON.line($0) } : nil,
    ].compactMap { $0 }
    return try ReportJSON.line(plain) + dialogue.joined(separator: " ")
      + "\(mix.format.layout.name) \(mix.format.sampleRate) \(choice.hrtf?.sha256 ?? "")"
      + " \(target ?? "") \(try ReportJSON.line(branch.taps.filter { $0.items == nil }))"
  }

  private static func changes(
    from old: QueueRecord, to new: QueueRecord, _ mix: QueueMix
  ) -> [QueueReport.Change] {
    let length = max(old.placement.frames, new.placement.frames)
    if old.tools != new.tools { return [QueueReport.Change(from: 0, to: length, why: "version")] }
    if old.settings != new.settings || old.from != new.from {
      return [QueueReport.Change(from: 0, to: length, why: QueueDiff.Reason.setting.rawValue)]
    }
    guard mix.isDeterministic else {
      return [QueueReport.Change(from: 0, to: length, why: "tap-varies")]
    }
    return QueueDiff(from: old.placed, to: new.placed, reach: mix.filterReach).changes.map {
      QueueReport.Change(from: $0.from, to: $0.to, why: $0.why.rawValue)
    }
  }
}

/// The record of a run of a queue: enough to tell which samples another run changes.
struct QueueRecord: Codable {
  /// The level applied to the sum of all items.
  struct Level: Codable, Equatable {
    var gainDB: Double
    /// True peak that the limiter allows, dBTP; `nil` without one.
    var ceilingDB: Double?
    /// How quickly the limiter reacts; `nil` without one.
    var response: LimiterResponse?
  }

  /// Versions of what rendered the items, and the processor's extensions.
  var tools: String
  /// All settings that the samples of every item depend on, as text.
  var settings: String
  /// First sample of the programme that was wanted.
  var from: Int64
  /// The queue; every file has one absolute path.
  var queue: PlayQueue
  /// Places of its items.
  var placement: Placement
  /// SHA-256 of each item's file; empty for silence.
  var digests: [String]
  /// Level applied to the sum.
  var level = Level(gainDB: 0)

  /// The record that `bytes` hold as JSON; `nil` when they hold none, or one whose parts don't belong together.
  static func read(_ bytes: [UInt8]) -> QueueRecord? {
    guard let record = try? JSONDecoder().decode(QueueRecord.self, from: Data(bytes)),
      record.queue.items.count == record.placement.items.count,
      record.queue.items.count == record.digests.count, record.placement.isPlausible
    else { return nil }
    return record
  }

  /// The queue as it is compared.
  var placed: PlacedQueue { PlacedQueue(queue, placement, digests: digests) }
}

/// The cache of a run: where it lies, what its items depend on, and the digests of their files.
struct QueueMemory {
  let policy: SegmentPolicy
  let run: RunIdentity
  let digests: SourceDigests

  /// The cache that `policy` describes, for items that are read as `clip` says.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  init(_ policy: SegmentPolicy, _ clip: Clip, isPortable: Bool) throws {
    self.policy = policy
    run = try RunIdentity(clip, isPortable: isPortable)
    digests = SourceDigests(path: policy.folder, isRemembering: !policy.isVerified)
  }

  /// The digest of the file of each of `entries`; empty for silence.
  func digests(_ entries: [QueueEntry]) -> [String] {
    entries.enumerated().map { index, entry in
      guard case .sound(let key, let track, _) = entry else { return "" }
      // A source that isn't known by its bytes counts as changed each time.
      guard track.isOneFile, let digest = try? digests.digest(of: key.path) else {
        return "unknown at \(SystemClock.steady), item \(index + 1)"
      }
      return digest
    }
  }
}

/// The facts that the rendered samples of all items of a run depend on besides their files and renderers, as text.
struct RunIdentity {
  /// Versions of Pinna and libavcodec, and the processor's extensions.
  let tools: String
  /// How files are opened and decoded.
  let decoding: String

  /// The identity of a run that reads its files as `clip` says.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  init(_ clip: Clip, isPortable: Bool) throws {
    let tools = ToolchainFacts.current
    let processor = isPortable ? "portable" : tools.cpu.joined(separator: ",")
    self.tools = "pinna \(tools.pinna), libavcodec \(tools.libavcodec), \(processor)"
    // Settings that don't change the samples of an item aren't part of it.
    var clip = clip
    clip.input = .standardStream
    clip.range = Clip.Range()
    clip.joining = Joining()
    clip.decoding.bounds = InputBounds()
    decoding = try ReportJSON.line(clip)
  }
}
