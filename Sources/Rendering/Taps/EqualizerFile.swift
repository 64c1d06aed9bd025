import AudioCore
import Effects
import MediaIn
import Spatial

/// Taps that equalise by a text file.
enum EqualizerFile {
  /// Taps of a curve's response at 48 kHz.
  private static let curveTaps = 8192

  /// The tap of the file at `path`, which keeps to `bounds`.
  /// - Throws: ``MediaError`` when it can't be read, or holds no equaliser.
  static func load(
    _ path: String, _ bounds: InputBounds, at point: TapPoint
  ) throws -> LoadedTap {
    let file = try TapFile(path: path, limit: EqualizerText.largest, bounds)
    let equalizer = try EqualizerText.read(file.text, name: path)
    let plan = PlannedTap(
      point: point, kind: "eq", name: file.name, sha256: file.sha256,
      settings: equalizer.parts.map(\.summary))
    return LoadedTap(
      plan: plan, notes: equalizer.notes,
      make: .processes { _, _ in
        EqualizerTap(equalizer, curves: filter)
      })
  }

  /// The filter that applies the curves of each channel; `nil` where there are none.
  private static func filter(
    _ format: AudioFormat, _ curves: [[GraphicCurve]]
  ) throws -> (any AudioStage)? {
    guard curves.contains(where: { !$0.isEmpty }) else { return nil }
    let rate = Double(format.sampleRate)
    let taps = max(64, Int(Double(curveTaps) * rate / 48_000))
    let responses = curves.map { curves in
      MinimumPhaseResponse.taps(taps, rate: rate) { frequency in
        curves.reduce(0) { $0 + $1.gain(at: frequency) }
      }
    }
    return ImpulseFilter(.each(responses), beginning: 0)
  }
}
