// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Signal

/// A signal in which speech is looked for, as a sum of channels.
package struct EvidenceMix: Sendable, Equatable {
  /// Its name in the report.
  package let source: DialogueSource
  /// The channels that are added up.
  package let channels: [Int]
  /// Factor of the sum.
  package let gain: Float

  /// The signals for `layout`: the centre channel and the middle of the front pair, so far as it has them; of other layouts
  /// the first channel that is no LFE. None where nothing names several channels.
  package static func mixes(for layout: ChannelLayout) -> [EvidenceMix] {
    if layout.count == 1 { return [EvidenceMix(source: .mono, channels: [0], gain: 1)] }
    var mixes: [EvidenceMix] = []
    if let centre = layout.speakers.firstIndex(of: .frontCenter) {
      mixes.append(EvidenceMix(source: .centre, channels: [centre], gain: 1))
    }
    if let left = nearest(to: 30, in: layout), let right = nearest(to: -30, in: layout) {
      mixes.append(EvidenceMix(source: .mid, channels: [left, right], gain: 0.5))
    }
    if mixes.isEmpty, let only = layout.speakers.firstIndex(where: { !$0.isLFE }) {
      mixes.append(EvidenceMix(source: .mono, channels: [only], gain: 1))
    }
    return mixes
  }

  /// The signal of a sound field, of which channels `w` and `x` look forward together: (W + X) / 2.
  package static func soundField(w: Int, x: Int) -> [EvidenceMix] {
    [EvidenceMix(source: .centre, channels: [w, x], gain: 0.5)]
  }

  /// The channel on the side of `azimuth` that is nearest to it at ear height.
  private static func nearest(to azimuth: Double, in layout: ChannelLayout) -> Int? {
    let side = layout.speakers.indices.filter { index in
      let direction = layout.direction(at: index)
      return !layout.speakers[index].isLFE && direction.azimuth * azimuth > 0
        && direction.azimuth.magnitude < 180
    }
    return side.min { distance($0, azimuth, layout) < distance($1, azimuth, layout) }
  }

  private static func distance(_ channel: Int, _ azimuth: Double, _ layout: ChannelLayout)
    -> Double
  {
    let direction = layout.direction(at: channel)
    // Height counts more than the angle: a pair above the listener isn't the front pair.
    return (direction.azimuth - azimuth).magnitude + 4 * direction.elevation.magnitude
  }
}

/// Looks for speech in a programme while it passes by, in the first of its signals that applies: stated dialogue, the centre
/// channel (beside it the front pair), the front pair, the only channel.
///
/// Not thread-safe; one owner at a time.
package final class DialogueFinder {
  /// Dialogue of a programme, and the K-weighted energies of the signal that it was found in.
  package struct Findings: Sendable, Equatable {
    /// Passages and their speech.
    package let dialogue: FoundDialogue
    /// Mean squares (K-weighted, weight 1) of whole steps of 100 ms of the words' own signal; `nil` unless the source is
    /// `stated` or `centre`.
    package let energies: [Double]?
    /// Whether the file states dialogue that is silent throughout, so that another signal was used.
    package let isStatedSilent: Bool
  }

  /// Sample magnitude of −75 dBFS. Stated dialogue that never gets above it is silent.
  private static let silence: Float = 1.7782794e-4
  /// Most samples that are mixed at once.
  private static let piece = 4096

  private let sampleRate: Int
  private var stated: Evidence?
  private var signals: [Evidence]
  private var mixed = AudioBuffer(channels: 1, capacity: piece)

  /// A finder for a programme of `sampleRate` Hz with these signals; `hasStated` where the file states dialogue.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for a rate that can't be metered.
  package init(sampleRate: Int, mixes: [EvidenceMix], hasStated: Bool = false) throws {
    self.sampleRate = sampleRate
    stated = hasStated ? try Evidence(sampleRate, nil) : nil
    signals = try mixes.map { try Evidence(sampleRate, $0) }
  }

  /// Bytes kept for the frames so far.
  package var bytesKept: Int {
    (signals + [stated].compactMap { $0 }).reduce(0) { $0 + $1.bytesKept }
  }

  /// Takes the next block of the programme, and as many samples of the sum of all stated dialogue where there is some.
  /// - Throws: ``MediaError`` of kind `damaged` for samples that aren't finite.
  package func add(_ block: AudioBuffer, stated plane: UnsafePointer<Float>? = nil) throws {
    for start in stride(from: 0, to: block.frames, by: DialogueFinder.piece) {
      let count = min(DialogueFinder.piece, block.frames - start)
      if let stated, let plane {
        mixed.removeAll()
        mixed.grow(by: count)
        mixed.channel(0).baseAddress?.update(from: plane + start, count: count)
        try stated.add(mixed)
        // Once words were heard there, no other signal is used.
        if stated.peak >= DialogueFinder.silence { signals = [] }
      }
      for signal in signals {
        mix(block, start, count, signal.mix)
        try signal.add(mixed)
      }
    }
  }

  /// The findings. Call once, after the last block.
  package func finish() -> Findings {
    if let stated, stated.peak >= DialogueFinder.silence {
      return findings(FoundDialogue(stated.frames(), source: .stated), stated)
    }
    guard let first = signals.first, let name = first.mix?.source else {
      return findings(FoundDialogue(SpeechFrames(), source: .mono), nil)
    }
    if name == .centre, let mid = signals.dropFirst().first {
      return findings(FoundDialogue(centre: first.frames(), mid: mid.frames()), first)
    }
    return findings(FoundDialogue(first.frames(), source: name), first)
  }

  private func findings(_ dialogue: FoundDialogue, _ signal: Evidence?) -> Findings {
    let isOwn = dialogue.source == .stated || dialogue.source == .centre
    return Findings(
      dialogue: dialogue, energies: isOwn ? signal?.energies() : nil,
      isStatedSilent: stated != nil && dialogue.source != .stated)
  }

  /// Puts the sum of the mix's channels into ``mixed``.
  private func mix(_ block: AudioBuffer, _ start: Int, _ count: Int, _ mix: EvidenceMix?) {
    mixed.removeAll()
    mixed.appendSilence(count)
    guard let mix else { return }
    let to = mixed.channel(0)
    for channel in mix.channels {
      let from = block.channel(channel)
      for index in 0..<count { to[index] += from[start + index] }
    }
    guard mix.gain != 1 else { return }
    for index in 0..<count { to[index] *= mix.gain }
  }
}

/// One signal that is looked at.
private final class Evidence {
  let mix: EvidenceMix?
  /// Largest magnitude of the signal so far, where it is stated dialogue.
  private(set) var peak: Float = 0
  private let features: SpeechFeatures
  /// The words' own loudness is measured where they have a signal of their own.
  private let meter: LoudnessMeter?

  /// The signal `mix`, or stated dialogue.
  init(_ sampleRate: Int, _ mix: EvidenceMix?) throws {
    self.mix = mix
    features = SpeechFeatures(sampleRate: sampleRate)
    let isOwn = mix.map { $0.source == .centre } ?? true
    let format = AudioFormat(sampleRate: sampleRate, layout: .mono)
    meter = isOwn ? try LoudnessMeter(format: format, measuresTruePeak: false) : nil
  }

  var bytesKept: Int { features.bytesKept }

  func add(_ block: AudioBuffer) throws {
    try meter?.add(block)
    let plane = block.channel(0)
    guard let base = plane.baseAddress else { return }
    if mix == nil { for sample in plane { peak = max(peak, sample.magnitude) } }
    features.add(base, count: plane.count)
  }

  func frames() -> SpeechFrames { features.finish() }

  func energies() -> [Double]? { meter?.statistics().meanSquares }
}
