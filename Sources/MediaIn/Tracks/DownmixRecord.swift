// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore

/// Records the mix to two channels that the frames of a programme state, and its first change.
struct DownmixRecord {
  /// The mix that the first frame states; it stays in force. `nil` when that frame states none.
  private(set) var first: CarriedDownmix?
  /// Samples handed out before a frame first stated another mix; `nil` while none has.
  private(set) var change: Int64?
  private var hasBegun = false

  /// Records the mix that a frame states.
  /// - Parameters:
  ///   - found: the mix; `nil` when the frame states none.
  ///   - position: samples handed out before that frame.
  ///   - isIntact: whether the frame can be believed.
  ///   - endsWithout: whether a frame that states no mix ends the one stated before; otherwise that one
  ///     stays valid.
  mutating func note(
    _ found: CarriedDownmix?, at position: Int64, isIntact: Bool = true, endsWithout: Bool = false
  ) {
    guard hasBegun else {
      hasBegun = true
      first = found
      return
    }
    guard isIntact, change == nil, found != first, found != nil || endsWithout else { return }
    change = position
  }
}

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

extension CarriedDownmix {
  /// The mix to two channels that an AC-4 frame states for presentation `index`; `nil` when it states none.
  init?(_ facts: AC4FrameFacts, presentation index: Int) {
    guard let chosen = facts.presentations.first(where: { $0.index == index }) else { return nil }
    let old = chosen.substreams.lazy.compactMap { $0?.downmix }.first
    let own = chosen.metadata
    let sent = own?.downmix ?? old
    let corrections = (
      loRo: own?.loRoCorrection ?? old?.loRoCorrection,
      ltRt: own?.ltRtCorrection ?? old?.ltRtCorrection
    )
    guard sent != nil || corrections.loRo != nil || corrections.ltRt != nil else { return nil }
    let substreams = chosen.presentation.groups.filter { facts.toc.groups.indices.contains($0) }
      .flatMap { facts.toc.groups[$0].substreams }
    let preferred: Method =
      sent?.method == 2 ? .ltRt : sent?.method == 3 ? .proLogicII : .loRo
    self.init(
      old == nil ? .presentation : .substream, preferred: preferred,
      loRo: Gains(
        center: AC4DownmixGains.centreGain(sent?.loRoCentre),
        surround: AC4DownmixGains.surroundGain(sent?.loRoSurround),
        correction: AC4DownmixGains.correction(corrections.loRo)),
      ltRt: Gains(
        center: AC4DownmixGains.centreGain(sent?.ltRtCentre),
        surround: AC4DownmixGains.surroundGain(sent?.ltRtSurround),
        correction: AC4DownmixGains.correction(corrections.ltRt)),
      lfeLevel: sent?.lfeLevel, addsToSurrounds: substreams.first?.addsToSurrounds)
  }
}
