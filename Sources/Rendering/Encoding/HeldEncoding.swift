// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import MediaOut
import Signal

/// The encoding of an output whose peaks are held: the whole sound is encoded once, and the packets around
/// peaks that the encoding lifts are encoded again with the sound a little lower there.
final class HeldEncoding {
  /// dB above the ceiling from which on a peak is lowered: decoders differ by hundredths of a dB, and a lossy ceiling is held to
  /// 0.05 dB.
  static let allowance = 0.03
  /// Share of all packets that may be replaced: where the encoding lifts more peaks, all peaks are limited further instead.
  static let share = 0.02
  /// Packets that are replaced for one peak, about.
  static let packetsOfPeak = 3
  /// Peaks that are lowered one by one at most, so that their list stays small.
  static let mostPeaks = 1 << 16
  /// Frames that may be encoded again in programmes of any length; in longer ones as many as they have, which costs as much as
  /// encoding them once more.
  private static let leastBudget = 512

  /// The gain and limiter that the sound had.
  let plan: NormalizationPlan
  let store: PacketStore
  /// Remedy for the peaks that are left.
  private(set) var remedy = PeakRemedy.packets
  private(set) var dips: GainDips
  /// Frames that may still be encoded again before it is cheaper to encode the whole programme.
  private var budget: Int
  /// Jobs that are to be encoded again, in the order of their places.
  private var waiting: [PeakJob] = []
  /// First peaks of jobs for which nothing better was found.
  private var hopeless: Set<Int64> = []
  private var places = 0
  private var replaced: Set<Int> = []
  /// The highest peak that was found, linear.
  private var highest: Float = 0
  private let output: RenderedOutput
  private let settings: SoundSettings
  private let repair: SpanRepair
  /// True peak that the decoded sound may have, dBTP.
  private let ceiling: Double

  /// Encodes all of `output` so that single packets can be replaced; `send` writes it to the sink that it gets.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  init(
    _ output: RenderedOutput, _ settings: SoundSettings, _ replacement: PacketReplacement,
    ceiling: Double, send: (any AudioSink) throws -> Void
  ) throws {
    self.output = output
    self.settings = settings
    self.ceiling = ceiling
    plan = output.plan
    dips = GainDips(sampleRate: settings.format.sampleRate)
    store = try PacketStore()
    let encoder = try FrameEncoder(settings.coding, format: settings.format)
    try send(PacketStoreSink(encoder, store))
    let grid = PacketGrid(
      frame: encoder.frameSize, padding: encoder.encoder.initialPadding, packets: store.count)
    budget = max(HeldEncoding.leastBudget, store.count)
    repair = SpanRepair(
      settings: settings, replacement: replacement, grid: grid,
      limit: HeldEncoding.limit(ceiling),
      decoder: try SpanDecoder(of: encoder.encoder, format: settings.format, grid: grid),
      store: store)
  }

  /// The magnitude above which a peak is lowered under `ceiling` dBTP.
  static func limit(_ ceiling: Double) -> Float {
    Float(Decibels.amplitude(ceiling + allowance))
  }

  /// Takes `peaks`, which a reader of the written packets found above the limit, and settles what lowers them.
  func judge(_ peaks: [PeakLocator.Peak]) {
    let peaks = SpanDecoder.merged(peaks)
    let dips = dips
    waiting = PeakJob.jobs(for: peaks, grid: repair.grid) { dips.reach(of: $0) }
      .filter { !hopeless.contains($0.peaks[0].position) }
    if waiting.isEmpty {
      remedy = .none
    } else if peaks.count > HeldEncoding.mostPeaks
      || waiting.reduce(0, { $0 + repair.cost(of: $1) }) > budget
    {
      let places = Dictionary(grouping: peaks) { repair.grid.packet(of: $0.position) }
      let excess = HeldEncoding.excess(
        places.values.compactMap { $0.map(\.level).max() }, packets: store.count,
        limit: repair.limit)
      remedy = excess > 0 ? .gain(excess) : .none
    } else {
      remedy = .packets
    }
  }

  /// Replaces the packets around the peaks that were judged last, where that is the remedy.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be decoded, encoded or stored.
  func lower() throws {
    guard case .packets = remedy, !waiting.isEmpty else { return }
    try run(waiting)
    waiting = []
  }

  /// dB by which `peaks`, the highest magnitudes of places in `packets` packets, lie above `limit`, but for the few that are
  /// lowered one by one.
  static func excess(_ peaks: [Float], packets: Int, limit: Float) -> Double {
    let few = Int(Double(packets) * share) / packetsOfPeak
    let above = peaks.filter { $0 > limit }.sorted(by: >)
    return above.count > few ? Decibels.level(Double(above[few] / limit)) : 0
  }

  /// Runs the sound past `jobs`, which are in the order of their places.
  private func run(_ jobs: [PeakJob]) throws {
    var jobs = jobs[...]
    var window = SoundWindow(channels: settings.format.channels)
    var done: Int64 = 0
    try output.replay { block in
      let wanted = jobs.first.map { repair.sound(for: $0).lowerBound } ?? .max
      window.append(block, from: wanted)
      done += Int64(block.frames)
      try output.show(.finish, done)
      while let job = jobs.first, repair.sound(for: job).upperBound <= window.end {
        if budget > 0 { try run(job, in: window) }
        jobs.removeFirst()
      }
    }
  }

  private func run(_ job: PeakJob, in window: SoundWindow) throws {
    highest = max(highest, job.highest)
    let (result, tries) = try repair.run(job, in: window, with: dips)
    budget -= tries * repair.cost(of: job)
    guard let result else {
      hopeless.insert(job.peaks[0].position)
      return
    }
    dips = result.dips
    places += 1
    replaced.formUnion(result.span)
  }

  /// Reports what was done.
  func note(_ log: DiagnosticLog) {
    guard places > 0 else { return }
    let seconds = Double(replaced.count * repair.grid.frame) / Double(settings.format.sampleRate)
    let part = 100 * Double(replaced.count) / Double(max(1, store.count))
    let over = Decibels.level(Double(highest)) - ceiling
    log.decide(
      .encodedAgain,
      "\(places.counted("place", "places")), \(Decibels.text(seconds)) s, \(Decibels.text(part)) % of the packets",
      why:
        "the encoding could lift the true peak there to \(Decibels.signedText(over)) dB from its "
        + "ceiling; the sound is up to \(Decibels.text(dips.deepestDB)) dB lower at these peaks")
  }
}
