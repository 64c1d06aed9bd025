// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Signal

/// ReplayGain 2.0 (Hydrogenaudio, "ReplayGain 2.0 specification"): how far a track and its album are from −18 LUFS, and their
/// greatest magnitudes. Every container has these texts under the same names, except Ogg Opus (RFC 7845, 5.2.1).
enum ReplayGain {
  /// Loudness in LUFS that players bring everything to.
  static let reference = -18.0

  /// A text under its name.
  typealias Entry = (name: String, value: String)

  /// Gain and peak of `loudness` under the names of a `scope`, `TRACK` or `ALBUM`; what isn't known is missing.
  static func entries(_ scope: String, _ loudness: TrackLoudness?) -> [Entry] {
    let gain = loudness?.replayGain.map { Decibels.text($0) + " dB" }
    let peak = loudness?.replayPeak?.fixed(6)
    return [("GAIN", gain), ("PEAK", peak)].compactMap { kind, value in
      value.map { ("REPLAYGAIN_\(scope)_\(kind)", $0) }
    }
  }
}

extension TrackTexts {
  /// ReplayGain of the track, and of its album where that is known.
  var replayGain: [ReplayGain.Entry] {
    ReplayGain.entries("TRACK", loudness) + ReplayGain.entries("ALBUM", albumLoudness)
  }
}

extension TrackLoudness {
  /// dB to the loudness that ReplayGain plays at; `nil` where the loudness isn't known.
  var replayGain: Double? {
    integrated.flatMap { $0.isFinite ? ReplayGain.reference - $0 : nil }
  }

  /// The greatest magnitude between and at samples.
  var replayPeak: Double? { (truePeak ?? samplePeak).map(Decibels.amplitude) }
}
