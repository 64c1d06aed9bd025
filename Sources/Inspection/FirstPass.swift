// SPDX-License-Identifier: Apache-2.0
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
  /// The gain in dB that makes TEST as loud as REF; `nil` where none was wanted, needed or found.
  private(set) var matchedGain: Double?
  private let measured: (reference: MeasuredFile, test: MeasuredFile)?
  private let samples: SampleComparator
  private let facts: (reference: StructureFacts, test: StructureFacts)

  /// Reads both files to their ends.
  /// - Throws: ``MediaError`` when REF can't be read.
  init(
    _ referencePath: String, _ testPath: String, _ decoding: InputOptions,
    matchesLoudness: Bool, _ progress: (RenderProgress) -> Void
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
    samples.complaints = try FirstPass.complaints(test.log, known: reference.log, guarded.failure)
    measured = meters.0.flatMap { one in
      meters.1.map { (reference: one.finish(), test: $0.finish()) }
    }
    if let measured, areComparable {
      // A part of TEST says nothing about the loudness of the whole.
      if matchesLoudness, !samples.areIdentical, guarded.failure == nil {
        matchedGain = FirstPass.gain(measured)
      }
      let test = measured.test.figures.louder(by: matchedGain ?? 0)
      levels = [
        LevelComparator(reference: measured.reference.figures, test: test, layout: new.layout)
      ]
    }
    self.samples = samples
    // A file that ends in a failure would fail again in a second reading.
    self.excerpt = guarded.failure == nil ? excerpt : nil
    facts = (StructureReader(file: reference).facts(), StructureReader(file: test).facts())
  }

  /// Remarks about TEST, also its failure; those that the reader of REF makes too are no complaint about TEST.
  /// - Throws: a failure that says that the job was stopped.
  private static func complaints(
    _ log: DiagnosticLog, known: DiagnosticLog, _ failure: MediaError?
  ) throws -> [Diagnostic] {
    let known = Set(known.degradations.map(\.code))
    let found = log.degradations.filter { !known.contains($0.code) }
    guard let failure else { return found }
    guard failure.kind != .interrupted else { throw failure }
    return found + [Diagnostic(.readFailed, failure.message)]
  }

  /// The gain that makes TEST as loud as REF, dB; `nil` where one of them is silent.
  private static func gain(_ measured: (reference: MeasuredFile, test: MeasuredFile)) -> Double? {
    guard let wanted = measured.reference.figures.integrated,
      let found = measured.test.figures.integrated
    else { return nil }
    return wanted - found
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

  /// Samples that TEST has more than REF.
  var surplus: Int64 { facts.test.samples - facts.reference.samples }

  /// Whether both files hold the same samples.
  var areIdentical: Bool { samples.areIdentical }

  /// The report; `difference` is the level of what remains, each 100 ms.
  func report(
    _ layers: [LayerResult], _ tolerance: ComparisonTolerance, difference: [Double?]?
  ) -> ComparisonReport {
    let verdict = ComparisonVerdict(layers, tolerance: tolerance)
    var report = ComparisonReport(
      reference: FirstPass.party(
        reference, facts.reference, samples.referenceDigest, measured?.reference),
      test: FirstPass.party(test, facts.test, samples.testDigest, measured?.test),
      tolerance: tolerance.name,
      alike: verdict.failed == nil, failed: verdict.failed,
      explainedBy: verdict.explainedBy, verdict: verdict.sentence,
      layers: layers.map(FirstPass.layer))
    if !tolerance.comparesTags { report.ignored = ["tags"] }
    if let matchedGain {
      report.matchedGainDB = matchedGain
      report.verdict +=
        " TEST was compared with a gain of \(matchedGain.fixed(2) ?? "-") dB, as loud as REF."
    }
    if let (one, other) = measured {
      report.curves = MeasuredFile.curves(one, other, difference: difference)
    }
    return report
  }

  private static func party(
    _ file: ComparedFile, _ facts: StructureFacts, _ digest: String, _ measured: MeasuredFile?
  ) -> ComparisonReport.Party {
    ComparisonReport.Party(
      path: file.input.name, container: facts.container, codec: facts.codec,
      layout: facts.format.layout.name, rate: facts.format.sampleRate, samples: facts.samples,
      pcmSHA256: digest, levels: measured.map { LevelsReport.levels($0.statistics.measurement) })
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
  private let spectrum: LongTermSpectrum
  private let mono: AudioBuffer

  /// Meters for `format`; `nil` where loudness can't be measured.
  init?(format: AudioFormat) throws {
    guard LoudnessMeter.obstacle(format) == nil else { return nil }
    programme = try LoudnessMeter(format: format)
    let single = AudioFormat(sampleRate: format.sampleRate, layout: .mono)
    channels = try (0..<format.channels).map { _ in
      try LoudnessMeter(format: single, measuresTruePeak: false)
    }
    spectrum = LongTermSpectrum(format: format)
    mono = AudioBuffer(channels: 1, capacity: 8192)
  }

  func add(_ block: AudioBuffer) throws {
    try programme.add(block)
    spectrum.add(block)
    for (channel, meter) in channels.enumerated() {
      mono.removeAll()
      mono.grow(by: block.frames)
      let plane = block.channel(channel)
      guard let base = plane.baseAddress else { continue }
      mono.channel(0).baseAddress?.update(from: base, count: plane.count)
      try meter.add(mono)
    }
  }

  /// Ends the measurement.
  func finish() -> MeasuredFile {
    let statistics = programme.statistics()
    let all = statistics.measurement
    let figures = LevelFigures(
      integrated: all.integrated, truePeak: all.truePeak,
      channelLoudness: channels.map { $0.measurement().integrated },
      channelTruePeaks: all.channelTruePeaks)
    return MeasuredFile(figures: figures, statistics: statistics, spectrum: spectrum.levels)
  }
}

/// Measurements of one file of a comparison.
struct MeasuredFile {
  let figures: LevelFigures
  let statistics: LoudnessStatistics
  /// Levels of ``LongTermSpectrum/frequencies``, dB; empty for a short file.
  let spectrum: [Double?]

  /// Curves of two files; `difference` is the level of what remains, each 100 ms.
  static func curves(
    _ reference: MeasuredFile, _ test: MeasuredFile, difference: [Double?]?
  ) -> ComparisonReport.Curves {
    let (old, new) = (
      LevelsReport.series(reference.statistics), LevelsReport.series(test.statistics)
    )
    let width = RenderReport.Curves.width(for: max(old.momentary.count, new.momentary.count))
    func loudness(_ series: RenderReport.Series) -> ComparisonReport.Curves.Loudness {
      .init(
        momentary: .init(series.momentary, width: width),
        shortTerm: .init(series.shortTerm, width: width))
    }
    var curves = ComparisonReport.Curves(
      intervalSeconds: Double(width) * LoudnessSeries.interval, reference: loudness(old),
      test: loudness(new))
    curves.differenceDB = difference.map { .init(rounded($0), width: width) }
    if !reference.spectrum.isEmpty, !test.spectrum.isEmpty {
      curves.spectrum = .init(
        frequenciesHz: rounded(LongTermSpectrum.frequencies).compactMap { $0 },
        referenceDB: rounded(reference.spectrum), testDB: rounded(test.spectrum))
    }
    return curves
  }

  private static func rounded(_ values: [Double?]) -> [Double?] {
    values.map { value in value.map { ($0 * 100).rounded() / 100 } }
  }
}
