import AudioCore
import Loudness
import MediaIn
import Rendering
import Report
import Verify

/// The first reading of both files of a comparison: hashes, levels, and an excerpt to align them by.
struct FirstPass {
  let reference: ComparedFile
  let test: ComparedFile
  /// Comparators of the level layer; empty at rates the meter isn't made for.
  private(set) var levels: [any LayerComparator] = []
  /// The loudest stretch; `nil` where samples can't be compared or needn't be.
  private(set) var excerpt: AlignmentExcerpt?
  private let samples: SampleComparator
  private let facts: (reference: StructureFacts, test: StructureFacts)

  /// Reads both files to their ends.
  /// - Throws: ``MediaError`` when REF can't be read.
  init(
    _ referencePath: String, _ testPath: String, _ decoding: InputOptions,
    _ progress: (RenderProgress) -> Void
  ) throws {
    reference = try ComparedFile(path: referencePath, decoding: decoding)
    test = try ComparedFile(path: testPath, decoding: decoding)
    let (old, new) = (reference.channels.format, test.channels.format)
    var samples = SampleComparator(format: new)
    let meters = try (LevelMeters(format: old), LevelMeters(format: new))
    let areComparable = old.sampleRate == new.sampleRate && old.channels == new.channels
    let excerpt = areComparable ? AlignmentExcerpt(format: old) : nil
    let guarded = GuardedSource(test.source)
    let pairer = try BlockPairer(
      reference: reference.channels, test: ChannelSource(guarded, layout: nil, log: DiagnosticLog())
    )
    var done: Int64 = 0
    let expected = reference.source.expectedSamples
    do {
      try pairer.run(
        onReference: {
          try FirstPass.checkCancelled(referencePath)
          samples.addReference($0)
          try meters.0?.add($0)
          done += Int64($0.frames)
          progress(
            RenderProgress(
              pass: .render, done: done, total: expected, sampleRate: old.sampleRate))
        },
        onTest: {
          samples.addTest($0)
          try meters.1?.add($0)
        }
      ) { one, other, count in
        guard areComparable else { return }
        samples.addPair(one, other, count: count)
        excerpt?.add(one, other, count: count)
      }
    } catch { throw MediaError(any: error, input: referencePath) }
    excerpt?.finish()
    // Remarks that the reader of REF makes too are no complaint about TEST.
    let known = Set(reference.log.degradations.map(\.code))
    samples.complaints = test.log.degradations.filter { !known.contains($0.code) }
    if let failure = guarded.failure {
      guard failure.kind != .interrupted else { throw failure }
      samples.complaints.append(Diagnostic(.readFailed, failure.message))
    }
    if let one = meters.0, let other = meters.1, areComparable {
      levels = [
        LevelComparator(
          reference: one.figures(), test: other.figures(), layout: new.layout)
      ]
    }
    self.samples = samples
    // A file that ends in a failure would fail again in a second reading.
    self.excerpt = guarded.failure == nil ? excerpt : nil
    facts = (
      StructureReader(file: reference).facts(),
      StructureReader(file: test).facts()
    )
  }

  static func checkCancelled(_ name: String) throws {
    guard Task.isCancelled else { return }
    throw MediaError(.interrupted, about: name, "stopped before it was done")
  }

  /// The structure layer, with the lag where it is known.
  func structure(_ tolerance: ComparisonTolerance, lag: Int64?) -> LayerResult {
    var comparator = StructureComparator(reference: facts.reference, test: facts.test)
    comparator.lag = lag ?? (samples.areCommonSamplesIdentical ? 0 : nil)
    return comparator.judge(tolerance)
  }

  /// The layers that are decided already: all, where the samples are the same or can't be compared.
  func layers(_ tolerance: ComparisonTolerance) -> [LayerResult] {
    let first = structure(tolerance, lag: nil)
    let rest = ComparisonLayer.allCases.dropFirst(2)
    let comparable = StructureComparator(reference: facts.reference, test: facts.test)
    guard comparable.areSamplesComparable else {
      let why = "rates or channel counts differ"
      return [first] + ComparisonLayer.allCases.dropFirst().map { .skipped($0, why) }
    }
    let second = samples.judge(tolerance)
    if samples.areIdentical {
      return [first, second] + rest.map { .skipped($0, "the samples are the same") }
    }
    guard excerpt != nil else {
      return [first, second] + rest.map { .skipped($0, "TEST can't be decoded to its end") }
    }
    return [first, second]
  }

  func report(_ layers: [LayerResult], _ tolerance: ComparisonTolerance) -> ComparisonReport {
    let verdict = ComparisonVerdict(layers, tolerance: tolerance)
    return ComparisonReport(
      reference: FirstPass.party(reference, facts.reference, samples.referenceDigest),
      test: FirstPass.party(test, facts.test, samples.testDigest), tolerance: tolerance.name,
      alike: verdict.failed == nil, failed: verdict.failed,
      explainedBy: verdict.explainedBy, verdict: verdict.sentence,
      layers: layers.map(FirstPass.layer))
  }

  private static func party(
    _ file: ComparedFile, _ facts: StructureFacts, _ digest: String
  ) -> ComparisonReport.Party {
    ComparisonReport.Party(
      path: file.input.name, container: facts.container, codec: facts.codec,
      layout: facts.format.layout.name, rate: facts.format.sampleRate, samples: facts.samples,
      pcmSHA256: digest)
  }

  private static func layer(_ result: LayerResult) -> ComparisonReport.Layer {
    ComparisonReport.Layer(
      layer: result.layer, status: result.status, rule: result.rule,
      figures: result.figures.map {
        ComparisonReport.Figure(name: $0.name, value: $0.value, unit: $0.unit, limit: $0.limit)
      }, fault: result.fault?.sentence, note: result.note)
  }
}

/// Measures a programme and every channel alone.
final class LevelMeters {
  private let programme: LoudnessMeter
  private let channels: [LoudnessMeter]
  private let mono: AudioBuffer

  /// Meters for `format`; `nil` where loudness can't be measured.
  init?(format: AudioFormat) throws {
    guard LoudnessMeter.obstacle(format) == nil else { return nil }
    programme = try LoudnessMeter(format: format)
    let single = AudioFormat(sampleRate: format.sampleRate, layout: .mono)
    channels = try (0..<format.channels).map { _ in
      try LoudnessMeter(format: single, measuresTruePeak: false)
    }
    mono = AudioBuffer(channels: 1, capacity: 8192)
  }

  func add(_ block: AudioBuffer) throws {
    try programme.add(block)
    for (channel, meter) in channels.enumerated() {
      mono.removeAll()
      mono.grow(by: block.frames)
      let plane = block.channel(channel)
      guard let base = plane.baseAddress else { continue }
      mono.channel(0).baseAddress?.update(from: base, count: plane.count)
      try meter.add(mono)
    }
  }

  /// The figures; ends the measurement.
  func figures() -> LevelFigures {
    let all = programme.measurement()
    return LevelFigures(
      integrated: all.integrated, truePeak: all.truePeak,
      channelLoudness: channels.map { $0.measurement().integrated },
      channelTruePeaks: all.channelTruePeaks)
  }
}
