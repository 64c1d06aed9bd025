// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import Verify

/// Planes in memory as a source, handed out in blocks.
final class PlanarSource: AudioSource {
  let format: AudioFormat
  private let planes: [[Float]]
  private let block: Int
  private var place = 0

  init(_ planes: [[Float]], block: Int = 4096, rate: Int = 48_000) {
    self.planes = planes
    self.block = block
    format = AudioFormat(
      sampleRate: rate, layout: ChannelLayout.conventional(channels: planes.count) ?? .mono)
  }

  func read(into buffer: AudioBuffer) throws -> Bool {
    let count = min(block, planes[0].count - place)
    let start = buffer.grow(by: count)
    for (channel, plane) in planes.enumerated() {
      for index in 0..<count { buffer.channel(channel)[start + index] = plane[place + index] }
    }
    place += count
    return place < planes[0].count
  }
}

/// Runs one comparator over two programmes.
enum Comparing {
  /// Result of the sample layer.
  static func samples(
    _ old: [[Float]], _ new: [[Float]], _ tolerance: ComparisonTolerance
  ) throws -> LayerResult {
    let (reference, test) = (PlanarSource(old), PlanarSource(new, block: 777))
    var comparator = SampleComparator(format: test.format)
    try BlockPairer(reference: reference, test: test).run(
      onReference: { comparator.addReference($0) }, onTest: { comparator.addTest($0) }
    ) { comparator.addPair($0, $1, count: $2) }
    return comparator.judge(tolerance)
  }

  /// Result of the null layer with TEST aligned to REF by `alignment`.
  static func null(
    _ old: [[Float]], _ new: [[Float]], _ tolerance: ComparisonTolerance,
    _ alignment: Verify.Alignment? = nil
  ) throws -> LayerResult {
    let format = PlanarSource(old).format
    let alignment = alignment ?? .none(channels: old.count)
    var comparator = NullComparator(format: format, alignment: alignment)
    try BlockPairer(reference: PlanarSource(old), test: PlanarSource(new, block: 777)).run {
      comparator.addUnaligned($0, $1, count: $2)
    }
    try BlockPairer(
      reference: PlanarSource(old), test: PlanarSource(new, block: 777), lag: alignment.lag
    ).run { comparator.addAligned($0, $1, count: $2) }
    return comparator.judge(tolerance)
  }

  /// Result of the spectral layer.
  static func spectrum(
    _ old: [[Float]], _ new: [[Float]], _ tolerance: ComparisonTolerance
  ) throws -> LayerResult {
    let analyzer = SpectralAnalyzer(format: PlanarSource(old).format)
    var comparator = SpectrumComparator()
    try BlockPairer(reference: PlanarSource(old), test: PlanarSource(new)).run {
      analyzer.add($0, $1, count: $2) { comparator.add($0) }
    }
    return comparator.judge(tolerance)
  }

  /// Result of the interaural layer.
  static func interaural(
    _ old: [[Float]], _ new: [[Float]], _ tolerance: ComparisonTolerance
  ) throws -> LayerResult {
    let analyzer = SpectralAnalyzer(format: PlanarSource(old).format)
    var comparator = InterauralComparator()
    try BlockPairer(reference: PlanarSource(old), test: PlanarSource(new)).run {
      analyzer.add($0, $1, count: $2) { comparator.add($0) }
    }
    comparator.finish()
    return comparator.judge(tolerance)
  }
}

extension LayerResult {
  /// The value of a figure.
  func value(_ name: String) -> Double? { figures.first { $0.name == name }?.value }

  /// Sentences about all differences; empty when there are none.
  var sentence: String { fault?.sentence ?? "" }
}
