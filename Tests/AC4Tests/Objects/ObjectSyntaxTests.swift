// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Every field of the shared object stream, and where each part of its frames ends.
@Suite(
  .tags(.media, .system), .enabled(if: ObjectOracle.isPresent, "../shared is missing"))
struct ObjectSyntaxTests {
  @Test("reading objects ends at the end of each part") func partsEndWhereTheyShould() throws {
    let reader = try ElementReader(
      .signals(9, hasLFE: true), try AC4FrameRate(index: 13, is48kHz: true))
    let element = reader.makeFrame()
    let mix = AJOCReader(inputs: 9, objects: 20, slots: 32)
    let frame = AJOCFrame(inputs: 9, objects: 20)
    let downmix = ObjectPortion(objects: 9, bed: 0, hasLFE: true)
    let upmix = ObjectPortion(objects: 20, bed: 0, hasLFE: true)
    let described = try ObjectOracle.described()
    let frames = try ObjectOracle.frames()
    #expect(frames.count == 20 && described.count == 20)
    for (raw, wanted) in zip(frames, described) {
      let toc = try AC4TableOfContents(rawFrame: raw)
      #expect(toc.byteCount == wanted["toc"]["toc_bytes"].int)
      #expect(toc.substreams.map(\.lowerBound) == wanted["toc"]["off"].ints)
      #expect(toc.substreams.map(\.count) == wanted["toc"]["sizes"].ints)
      #expect(toc.groups[0].metadata == 0)
      let audio = wanted["audio"]
      let isIFrame = toc.groups[0].substreams[0].isIFrame[0]
      #expect(isIFrame == toc.isIFrame)
      try raw.withUnsafeBufferPointer { buffer in
        var bits = try BitReader(buffer).part(
          at: toc.substreams[1].lowerBound, count: toc.substreams[1].count)
        #expect(try AudioSize.read(&bits) == audio["audio_size_bytes"].int)
        let start = bits.position
        #expect(try !bits.flag())
        try reader.read(&bits, isIFrame: isIFrame, into: element)
        #expect(bits.position - start == audio["bits_after_channel_element"].int)
        let times = try bits.flag() ? ObjectTiming(&bits) : nil
        try downmix.read(
          &bits, sent: times, other: nil, isIFrame: isIFrame, isAlternative: false)
        #expect(try !bits.flag())
        #expect(bits.position - start == audio["bits_after_dmx_oamd"].int)
        try mix.read(&bits, isIFrame: isIFrame, into: frame)
        #expect(bits.position - start == audio["bits_after_ajoc"].int)
        checkMix(frame, audio["ajoc"])
        try mix.readEnhancement(&bits, isIFrame: isIFrame, into: frame)
        #expect(frame.maximumGain == audio["dmx_de"]["maxgain"].int)
        #expect(
          (0..<20).map { frame.objects.base[$0].isDialogue ? 1 : 0 }
            == audio["dmx_de"]["flags"].ints)
        let own = try bits.flag() ? ObjectTiming(&bits) : nil
        try upmix.read(&bits, sent: own, other: times, isIFrame: isIFrame, isAlternative: false)
        #expect(bits.position - start == audio["bits_used"].int)
      }
      reader.commit()
      mix.commit()
      downmix.commit()
      upmix.commit()
      checkObjects(upmix, audio["umx_oamd"])
      checkObjects(downmix, audio["dmx_oamd"])
    }
  }

  private func checkMix(_ frame: AJOCFrame, _ wanted: ObjectOracle.Described) {
    #expect(frame.decorrelators == wanted["nde"].int)
    #expect(frame.pointCount == wanted["dp"].list.count)
    #expect(
      [frame.points.base[0].start, frame.points.base[0].length] == wanted["dp"][0].ints)
    for (object, entry) in wanted["obj"].list.enumerated() {
      let found = frame.objects.base[object]
      #expect(found.isPresent == (entry["p"].int == 1))
      #expect(found.bands == entry["nb"].int)
      #expect(found.isCoarse == (entry["q"].int == 1))
      for (row, values) in entry["dry"][0].list.enumerated() {
        // The first number says how the row is coded.
        let level = values.isNull ? 25 : values.ints[1]
        #expect(Int(frame.row(object, 0, row)[0]) == level)
      }
    }
  }

  private func checkObjects(_ portion: ObjectPortion, _ wanted: ObjectOracle.Described) {
    #expect(wanted.list.count == portion.count)
    for (object, blocks) in wanted.list.enumerated() {
      #expect(blocks.list.count == portion.timing.count)
      for (block, entry) in blocks.list.enumerated() {
        let info = portion.info(object, block)
        #expect(info.isActive == (entry["na"].int == 0) && info.gain == 0 && info.priority == 1)
        let position = entry["pos"].ints
        guard position.count == 3 else { continue }
        #expect([info.position.x, info.position.y, info.position.z] == position)
      }
    }
  }

  /// Objects through the inspector, which reads no audio.
  @Test("the inspector reads objects without reading audio") func tableOfContentsIsRead() throws {
    for sample in try ObjectOracle.frames() {
      let toc = try AC4TableOfContents(rawFrame: sample)
      let objects = try #require(toc.groups[0].substreams[0].objects)
      #expect(objects.isJointlyCoded && !objects.isStaticDownmix && objects.hasLFE)
      #expect(objects.downmixSignals == 9 && objects.objects == 20)
      #expect(objects.bed.count == 0 && objects.hasDynamicObjects)
      #expect(toc.selectablePresentations == [0])
    }
  }
}
