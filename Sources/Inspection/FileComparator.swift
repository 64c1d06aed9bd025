import AudioCore
import LibAV
import MediaIn
import Rendering
import Report
import Verify

/// Compares two media files layer by layer. Both are decoded together, block by block; where
/// samples differ, they are decoded a second time, aligned. Memory doesn't depend on their length.
public struct FileComparator: Sendable {
  /// How both files are opened and decoded.
  public var decoding = InputOptions()
  /// What still counts as alike.
  public var tolerance = ComparisonTolerance.exact

  /// A comparator with the default settings.
  public init() {}

  /// Compares the file at `test` with that at `reference`.
  /// - Throws: ``MediaError`` when a file can't be opened or REF can't be decoded; faults of TEST
  ///   after its header are in the report.
  public func compare(
    reference: String, test: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws -> ComparisonReport {
    LibAVLog.install()
    let first = try FirstPass(reference, test, decoding, progress)
    var layers = first.layers(tolerance)
    if let excerpt = first.excerpt, layers.count < ComparisonLayer.allCases.count {
      layers += try aligned(first, excerpt, reference, test, progress)
    }
    // With the lag, the structure layer can distinguish a cut beginning from a cut end.
    layers[0] = first.structure(tolerance, lag: layers.count > 1 ? lag(layers) : nil)
    return first.report(layers, tolerance)
  }

  private func lag(_ layers: [LayerResult]) -> Int64? {
    let figures = layers.first { $0.layer == .null && $0.status != .skipped }?.figures
    return figures?.first { $0.name == "lag" }?.value.map { Int64($0) }
  }

  /// The layers that need both files aligned.
  private func aligned(
    _ first: FirstPass, _ excerpt: AlignmentExcerpt, _ reference: String, _ test: String,
    _ progress: (RenderProgress) -> Void
  ) throws -> [LayerResult] {
    let alignment = try AlignmentSearch(excerpt).find()
    let format = first.reference.channels.format
    var null = NullComparator(format: format, alignment: alignment)
    var spectrum = SpectrumComparator()
    var interaural = InterauralComparator()
    let analyzer = try SpectralAnalyzer(format: format)
    let isPair = format.channels == 2
    let lags = alignment.lag == 0 ? [0] : [0, alignment.lag]
    for lag in lags {
      let old = try ComparedFile(path: reference, decoding: decoding)
      let new = try ComparedFile(path: test, decoding: decoding)
      let pairer = BlockPairer(reference: old.channels, test: new.channels, lag: lag)
      var done: Int64 = 0
      try pairer.run { old, new, count in
        try FirstPass.checkCancelled(reference)
        if lag == 0 { null.addUnaligned(old, new, count: count) }
        if lag == alignment.lag {
          null.addAligned(old, new, count: count)
          analyzer.add(old, new, count: count) { frame in
            spectrum.add(frame)
            if isPair { interaural.add(frame) }
          }
        }
        done += Int64(count)
        progress(
          RenderProgress(
            pass: .verify, done: done, total: nil, sampleRate: format.sampleRate))
      }
    }
    interaural.finish()
    let comparators: [any LayerComparator] =
      [null] + first.levels + [spectrum] + (isPair ? [interaural] : [])
    var results = comparators.map { $0.judge(tolerance) }
    if first.levels.isEmpty {
      results.insert(.skipped(.levels, "the meter isn't made for this sample rate"), at: 1)
    }
    if !isPair { results.append(.skipped(.interaural, "only two channels have two ears")) }
    return results
  }
}
