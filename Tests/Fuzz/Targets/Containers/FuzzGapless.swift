// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn

/// Numbers choose a codec, a container, clocks and edits; the rest is the text of iTunSMPB.
func fuzzGapless(_ bytes: [UInt8]) {
  var feed = ByteFeed(bytes)
  let codecs = CodecTraits.decoded
  let containers = ContainerTraits.all
  let container = feed.byte() % (containers.count + 1)
  var facts = GaplessFacts(
    container: container == 0 ? nil : containers[container - 1],
    codec: codecs[feed.byte() % codecs.count])
  let flags = feed.byte()
  let rate = [8000, 44_100, 48_000, 768_000][feed.byte() & 3]
  // Clocks of MP4 have 32 bits, and 0 is read as 1.
  facts.movieTimescale = max(1, feed.number() & 0xFFFF_FFFF)
  facts.mediaTimescale = max(1, feed.number() & 0xFFFF_FFFF)
  facts.mediaDuration = flags & 1 == 0 ? nil : max(0, feed.number())
  facts.opusPreSkip = flags & 2 == 0 ? nil : feed.byte() << 8 | feed.byte()
  facts.codecDelay = flags & 4 == 0 ? nil : Int(max(1, feed.number() & 0x7FFF_FFFF))
  // Pages state positions below 2^60.
  facts.pageSamples = flags & 8 == 0 ? nil : feed.number() & (1 << 60 - 1)
  facts.edits = (0..<(flags >> 4)).map { _ in
    GaplessFacts.Edit(duration: max(0, feed.number()), mediaTime: feed.number())
  }
  var first = TimedBlock(
    frames: 1024, position: flags & 2 == 0 ? feed.number() : nil, skipStart: feed.byte() * 20)
  if first.skipStart & 16 != 0 {
    first.infoFrame = GaplessFacts.InfoFrame(
      priming: flags & 4 == 0 ? nil : Int64(feed.byte() * 18), padding: Int64(feed.byte() * 14),
      frames: max(1, feed.number() & 0xFFFF_FFFF), samplesPerFrame: 1152)
  }
  facts.isByLibAV = first.skipStart & 8 != 0
  facts.iTunSMPB = FuzzInput.text(feed.rest)
  for option in [PrimingOption.automatic, .keep, .samples(1 << 30)] {
    let plan = try? TrimPlan(
      facts: facts, rate: rate, option: option, first: first, log: DiagnosticLog())
    guard let plan else { continue }
    demand(plan.priming >= 0, "the number of start-up samples isn't negative")
    demand(plan.validSamples ?? 0 >= 0, "the number of samples isn't negative")
    demand(plan.validTolerance >= 0, "a tolerance isn't negative")
    _ = plan.statedSamples
  }
}
