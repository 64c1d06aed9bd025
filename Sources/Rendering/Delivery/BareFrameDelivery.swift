// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Signal

/// Writes bare frames of AC-3 and E-AC-3, and reads them back: of the right length with the silence around the sound that such a file can't
/// say to be none of it.
final class BareFrameDelivery: Delivery {
  private let context: DeliveryContext
  private var priming = 0
  private var padding: Int64 = 0

  init(_ context: DeliveryContext) { self.context = context }

  func write() throws -> WrittenSound {
    SourceTags.noteLeftOut(context.tags.names, of: context.container.kind.traits.name, context.log)
    let writer = try BareFrameWriter(
      descriptor: context.target.descriptor, name: context.target.name,
      settings: context.settings(context.texts(MediaTags())))
    let written = try send(context.output, to: writer)
    (priming, padding) = (writer.initialPadding, writer.padding)
    context.log.decide(
      .codec, "bare frames",
      why:
        "they can't state where their sound begins and ends: players that don't know the codec's start-up put \(priming) samples of "
        + "silence before it, and all put \(padding) after it; \(setting: .container) matroska and mp4 state both"
    )
    return written
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    try EncodedProof(context, priming: priming, padding: padding).read(written.account)
  }
}

extension DeliveryContext {
  /// Levels in dB that a frame can state of its dialogue (ETSI TS 102 366, 4.4.2.8).
  private static let dialogueLevels = -31...(-1)

  /// `coding` with the level of the dialogue, which is that of the whole where nobody knows better; receivers bring it to −31 dB.
  func stating(_ loudness: Double?, _ coding: OutputCoding) -> OutputCoding {
    guard coding.codec.traits.statesDialogueLevel, let loudness, loudness.isFinite else {
      return coding
    }
    var coding = coding
    let levels = DeliveryContext.dialogueLevels
    let level = Int(min(max(loudness, -100), 100).rounded())
    let stated = min(max(level, levels.lowerBound), levels.upperBound)
    coding.encoderOptions.merge(["dialnorm": "\(stated)"]) { own, _ in own }
    return coding
  }
}
