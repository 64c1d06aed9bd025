import AudioCore
import LibAV
import Loudness
import MediaOut
import Signal

/// The encoding of an output whose peaks are held: the whole sound is encoded once, and the packets around
/// peaks that the encoding lifts are encoded again with the sound a little lower there.
final class HeldEncoding {
  /// What was done so far.
  struct Tally {
    /// Places that were encoded again.
    var places = 0
    /// Packets that were replaced.
    var packets = 0
    /// The highest peak that was found, linear.
    var highest: Float = 0
    /// dB by which the residual of the worst seam lies above that of both encodings.
    var seamDB = -200.0
  }

  /// dB below the ceiling that peaks are held at, for the rounding of two decoders.
  private static let margin = 0.02
  /// dB below the ceiling from which on a peak is looked at: noise that the encoder leaves to the decoder
  /// may lift it. It was 0.94 dB at most in noise bursts at 128 kbit/s.
  private static let watched = 1.0
  /// Frames between two watched peaks from which on they are looked at one by one.
  private static let gap = 4
  /// Frames that are looked at together at most.
  private static let length = 32
  /// Peaks that are lowered one by one at most; with more the whole programme must be lowered.
  private static let maxPeaks = 1 << 16
  /// Frames that may be encoded again in programmes of any length; in long ones it is their length.
  private static let leastBudget = 512

  /// The gain and limiter that the sound had.
  let plan: NormalizationPlan
  let store: PacketStore
  private(set) var tally = Tally()
  /// What lowers the peaks that are left.
  private(set) var remedy = PeakRemedy.packets
  private(set) var dips: GainDips
  /// Frames that may still be encoded again before it is cheaper to encode the whole programme.
  private var budget: Int
  private let output: RenderedOutput
  private let settings: SoundSettings
  private let repair: SpanRepair
  /// True peak that the decoded sound may have, dBTP.
  private let ceiling: Double

  /// Encodes all of `output`; `send` writes it to the sink that it gets.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  init(
    _ output: RenderedOutput, _ settings: SoundSettings, ceiling: Double,
    send: (any AudioSink) throws -> Void
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
      settings: settings, grid: grid,
      limit: Float(Decibels.amplitude(ceiling - HeldEncoding.margin)),
      decoder: try SpanDecoder(of: encoder.encoder, format: settings.format, grid: grid),
      store: store)
  }

  /// Looks for peaks above the ceiling in what the packets decode to, and lowers them.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be decoded, encoded or stored.
  func lowerPeaks() throws {
    let peaks = try survey()
    guard !peaks.isEmpty else {
      // A peak that a reader finds all the same isn't in any packet.
      remedy = .none
      return
    }
    let dips = dips
    let jobs = PeakJob.jobs(for: peaks, grid: repair.grid) { dips.reach(of: $0) }
    guard peaks.count <= HeldEncoding.maxPeaks,
      jobs.reduce(0, { $0 + repair.cost(of: $1) }) <= budget
    else {
      remedy = .gain
      return
    }
    let before = tally.places
    try run(jobs)
    remedy = budget <= 0 ? .gain : tally.places > before ? .packets : .none
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

  /// Reports what was done.
  func note(_ log: DiagnosticLog) {
    guard tally.places > 0 else { return }
    let seconds = Double(tally.packets * repair.grid.frame) / Double(settings.format.sampleRate)
    let over = Decibels.level(Double(tally.highest)) - ceiling
    log.decide(
      .encodedAgain, "\(tally.places) place(s), \(Decibels.text(seconds)) s",
      why:
        "the encoding could lift the true peak there to \(Decibels.signedText(over)) dB from its "
        + "ceiling; the sound is up to \(Decibels.text(dips.deepestDB)) dB lower at these peaks")
  }

  private func run(_ job: PeakJob, in window: SoundWindow) throws {
    tally.highest = max(tally.highest, job.highest)
    let (result, tries) = try repair.run(job, in: window, with: dips)
    budget -= tries * repair.cost(of: job)
    guard let result else { return }
    dips = result.dips
    tally.places += 1
    tally.packets += result.span.count
    tally.seamDB = max(tally.seamDB, result.seamDB)
  }

  /// The peaks above the limit in the whole encoding, in the order of their places.
  private func survey() throws -> [PeakLocator.Peak] {
    let decoder = try SpanDecoder(
      of: FrameEncoder(settings.coding, format: settings.format).encoder, format: settings.format,
      grid: repair.grid)
    let locator = PeakLocator(
      format: settings.format, limit: Float(Decibels.amplitude(ceiling - HeldEncoding.watched)))
    var found: [PeakLocator.Peak] = []
    var place: ClosedRange<Int>?
    for number in 0..<store.count {
      let sound = try decoder.decode([store.packet(number)])
      let near = locator.find(in: sound, at: repair.grid.start(of: number))
        .filter { (0..<settings.frames).contains($0.position) }
      found += near.filter { $0.level > repair.limit }
      if let open = place,
        number - open.upperBound > HeldEncoding.gap
          || number - open.lowerBound >= HeldEncoding.length
      {
        found += try look(at: open)
        place = nil
      }
      if !near.isEmpty { place = (place?.lowerBound ?? max(0, number - 1))...number }
      if found.count > HeldEncoding.maxPeaks { return found }
    }
    if let place { found += try look(at: place) }
    return SpanDecoder.merged(found)
  }

  private func look(at place: ClosedRange<Int>) throws -> [PeakLocator.Peak] {
    try repair.decoder.peaks(in: place, above: repair.limit) { try store.packet($0) }
      .filter { (0..<settings.frames).contains($0.position) }
  }
}
