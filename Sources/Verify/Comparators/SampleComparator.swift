// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Compares the decoded samples bit by bit: hashes of both whole files and the first difference.
package struct SampleComparator: LayerComparator {
  private var reference = Digest(.sha256)
  private var test = Digest(.sha256)
  private var bytes: [Float] = []
  private var position: Int64 = 0
  private var firstDifference: Int64?
  private var invalid: Int64 = 0
  private var firstInvalid: (sample: Int64, channel: Int)?
  private var tested: Int64 = 0
  private let format: AudioFormat
  /// Diagnostics that the reader of TEST reported and that of REF didn't.
  package var complaints: [Diagnostic] = []

  /// A comparator for TEST in this format.
  package init(format: AudioFormat) { self.format = format }

  /// Adds the next samples of REF.
  package mutating func addReference(_ block: AudioBuffer) {
    interleave(block)
    bytes.withUnsafeBytes { reference.update($0) }
  }

  /// Adds the next samples of TEST.
  package mutating func addTest(_ block: AudioBuffer) {
    for channel in 0..<block.channels {
      let plane = block.channel(channel)
      for index in 0..<plane.count where !plane[index].isFinite {
        invalid += 1
        let place = tested + Int64(index)
        if place < firstInvalid?.sample ?? .max { firstInvalid = (place, channel) }
      }
    }
    tested += Int64(block.frames)
    interleave(block)
    bytes.withUnsafeBytes { test.update($0) }
  }

  /// Looks for the first difference in the next `count` samples of both.
  package mutating func addPair(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    defer { position += Int64(count) }
    guard firstDifference == nil else { return }
    var first = count
    for channel in 0..<min(old.channels, new.channels) {
      let (one, other) = (old.channel(channel), new.channel(channel))
      var index = 0
      while index < first, one[index] == other[index] { index += 1 }
      first = min(first, index)
    }
    if first < count { firstDifference = position + Int64(first) }
  }

  /// Hash of REF's samples, Float32, little-endian, interleaved; −0 counts as 0.
  package var referenceDigest: String { reference.hexadecimal }
  /// Hash of TEST's samples.
  package var testDigest: String { test.hexadecimal }
  /// Whether both are the same.
  package var areIdentical: Bool { referenceDigest == testDigest }

  /// Whether nothing differs as far as both files go.
  package var areCommonSamplesIdentical: Bool { firstDifference == nil && position > 0 }

  /// Fails where the reader had to repair TEST, and on different hashes where the tolerance
  /// compares them.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    LayerResult(
      .samples,
      figures: [
        ComparisonFigure(
          "identical", areIdentical ? 1 : 0, limit: tolerance.comparesHash ? 1 : nil),
        ComparisonFigure("firstDifference", firstDifference.map(Double.init), "samples"),
        ComparisonFigure("invalid", Double(invalid), "samples", limit: 0),
      ],
      rule: (tolerance.comparesHash ? "hashes must agree" : "hashes are only reported")
        + "; TEST must decode without complaint; the same hash decides all layers below",
      fault: fault(tolerance),
      note: areIdentical ? "same samples" : nil)
  }

  private func fault(_ tolerance: ComparisonTolerance) -> ComparisonFault? {
    if let place = firstInvalid {
      let name =
        format.layout.speakers.indices.contains(place.channel)
        ? format.layout.speakers[place.channel].name : "?"
      return ComparisonFault(
        .cause,
        "TEST holds "
          + invalid.counted("sample that isn't finite", "samples that aren't finite")
          + " (NaN or infinity), first in \(name) at "
          + "sample \(place.sample) (\(Decimals.place(place.sample, format.sampleRate)))",
        explains: [.null, .levels, .spectrum, .interaural])
    }
    if let complaint = complaints.first {
      let place = firstDifference.map {
        "; the samples differ from \(Decimals.place($0, format.sampleRate)) on (sample \($0))"
      }
      return ComparisonFault(
        .cause, "TEST is damaged: \(complaint.message)\(place ?? "")",
        explains: [.null, .levels, .spectrum, .interaural])
    }
    guard tolerance.comparesHash, !areIdentical else { return nil }
    let place = firstDifference.map {
      "from sample \($0) on (\(Decimals.place($0, format.sampleRate)))"
    }
    return ComparisonFault(.difference, "the samples differ \(place ?? "after REF's end")")
  }

  /// Adds 0 to each sample, which turns −0 into 0, because both sound alike.
  private mutating func interleave(_ block: AudioBuffer) {
    let channels = block.channels
    let count = block.frames * channels
    if bytes.count != count { bytes = [Float](repeating: 0, count: count) }
    bytes.withUnsafeMutableBufferPointer { target in
      for channel in 0..<channels {
        let plane = block.channel(channel)
        var place = channel
        for index in 0..<plane.count {
          target[place] = plane[index] + 0
          place += channels
        }
      }
    }
  }
}
