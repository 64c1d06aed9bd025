import AC4
import AudioCore

/// Follows the mix to two channels that the I-frames of an AC-4 track state.
struct AC4DownmixWatch {
  private var record = DownmixRecord()
  private var inspector: AC4Inspector
  private let presentation: Int

  /// A watch that begins with the frame at `start`.
  init(_ start: AC4Beginning) {
    inspector = start.inspector
    presentation = start.decoder.presentation
    record.note(CarriedDownmix(start.facts, presentation: presentation), at: 0)
  }

  /// The mix that the first frame states.
  var first: CarriedDownmix? { record.first }
  /// Samples before the first I-frame that states another one.
  var change: Int64? { record.change }

  /// Notes the mix that an I-frame states behind so many samples. After the first change there is nothing more to
  /// report.
  mutating func note(_ unit: AccessUnit, at samples: Int64) {
    guard unit.isSync, change == nil, let facts = try? inspector.inspect(rawFrame: unit.data) else {
      return
    }
    record.note(CarriedDownmix(facts, presentation: presentation), at: samples)
  }
}
