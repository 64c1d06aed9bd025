// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import MediaOut

/// Writes MP3 and reads it back: its own tag must agree with its frames, and every reader must get the exact length by it.
final class MP3Delivery: HeldDelivery {
  let context: DeliveryContext
  let peaks: PeakHold
  /// Start-up samples of encoder and decoder.
  private var priming = 0

  init(_ context: DeliveryContext) {
    self.context = context
    peaks = PeakHold(context.output)
  }

  func write() throws -> WrittenSound {
    var texts = context.texts(context.tags)
    texts.pictures = context.framedPictures(texts.tags)
    texts.chapters = chapters
    let settings = peaks.settings(context.settings(texts))
    try holdPeaks(settings)
    let writer = try MP3Writer(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    priming = writer.initialPadding
    return try send(to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    let fault = MP3InfoTag.fault(
      of: try context.target.openedFile(), samples: context.output.frames)
    guard fault == nil else {
      throw MediaError(
        .verificationFailed, about: context.target.name,
        "the written file isn't as meant: \(fault ?? ""); nothing was kept")
    }
    let proof = EncodedProof(context, priming: priming, locator: peaks.locator)
    return peaks.take(try proof.read(written.account))
  }

  /// The chapters that an ID3 tag holds.
  private var chapters: [ProgrammeMarker] {
    let all = context.markers
    if all.count > ID3Block.mostChapters {
      context.log.degrade(
        .chaptersCut,
        "the ID3 tag of MP3 lists \(ID3Block.mostChapters) of the \(all.count) chapters; MP4 and WAV "
          + "hold them all")
    }
    return Array(all.prefix(ID3Block.mostChapters))
  }
}
