// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite(
  .tags(.media, .system), .fullRunOnly,
  .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"))
struct SyntaxTests {
  @Test("reading a real frame ends at the end of its audio", arguments: RealStream.allCases)
  func audioEndsWhereItShould(stream: RealStream) throws {
    let frames = try stream.frames()
    let control = try Oracle.control(stream)
    let walk = try FrameWalk(try AC4TableOfContents(rawFrame: frames[0].rawFrame).frameRate)
    for (frame, expected) in zip(frames, control) {
      let found = try walk.read(frame.rawFrame)
      #expect(found.audioSize == expected.audio_size)
      #expect(found.bitsLeft == expected.bits_left && (0..<8).contains(found.bitsLeft))
    }
  }

  @Test("spectra read from real frames are the oracle's", arguments: RealStream.allCases)
  func spectraAreTheOracles(stream: RealStream) throws {
    let frames = try stream.frames()
    let control = try Oracle.control(stream)
    let walk = try FrameWalk(try AC4TableOfContents(rawFrame: frames[0].rawFrame).frameRate)
    for (frame, expected) in zip(frames, control) {
      _ = try walk.read(frame.rawFrame)
      #expect(!walk.reader.spectra.operations.isEmpty == (expected.mdct_stereo == 1))
      #expect(walk.reader.spectra.parameters[0].mode.rawValue == expected.sap_mode)
      for (track, expected) in zip(walk.reader.spectra.tracks, [expected.trk0, expected.trk1]) {
        check(track, expected, walk.reader.spectra.sizes, "frame \(frame.position)")
      }
      let used = usedBands(walk.reader.spectra)
      if let flags = expected.sap_used { #expect(used == flags) }
      if let flags = expected.ms_used { #expect(used == flags) }
    }
  }

  private func check(
    _ track: SpectralTrack, _ expected: ControlFrame.Track, _ sizes: TransformSizes,
    _ place: Comment
  ) {
    let layout = track.layout
    let windows = (0..<layout.windowCount).map {
      sizes.length(layout.transform(Int(layout.groupOfWindow[$0])))
    }
    #expect(windows == expected.win, place)
    #expect((0..<layout.groupCount).map(layout.windows) == expected.groups, place)
    #expect((0..<layout.groupCount).map(layout.bandCount) == expected.max_sfb, place)
    #expect(track.hasNoiseFill == (expected.snf == 1), place)
    var lines = 0
    for group in 0..<layout.groupCount {
      let row = group * SpectralTrack.rowLength
      let count = layout.bandCount(group)
      let books = (row..<row + count).map { String(track.codebooks.base[$0], radix: 16) }
      #expect(books.joined() == expected.cb[group], place)
      let factors = (row..<row + count).filter { track.isCoded.base[$0] }
        .map { Int(track.scaleFactors.base[$0]) }
      #expect(factors.first == expected.sf_first_last[group]?.first, place)
      #expect(factors.last == expected.sf_first_last[group]?.last, place)
      lines += sizes.borders(layout.transform(group))[count] * layout.windows(group)
    }
    let magnitudes = (0..<lines).map { Int(track.lines.base[$0].magnitude) }
    #expect(magnitudes.filter { $0 > 0 }.count == expected.n_nonzero, place)
    #expect(magnitudes.max() ?? 0 == expected.maxq, place)
    #expect(magnitudes.reduce(0, +) == expected.sum_abs_q, place)
  }

  private func usedBands(_ spectra: ElementSpectra) -> [String] {
    let layout = spectra.tracks[0].layout
    return (0..<layout.groupCount).map { group in
      (0..<layout.bandCount(group)).map { band in
        spectra.parameters[0].isUsed.base[group * StereoParameters.rowLength + band] ? "1" : "0"
      }.joined()
    }
  }

  @Test("A-SPX parameters read from real frames are the oracle's", arguments: RealStream.allCases)
  func extensionIsTheOracles(stream: RealStream) throws {
    let frames = try stream.frames()
    let control = try Oracle.control(stream)
    let walk = try FrameWalk(try AC4TableOfContents(rawFrame: frames[0].rawFrame).frameRate)
    for (frame, expected) in zip(frames, control) {
      _ = try walk.read(frame.rawFrame)
      let companding = walk.frame.companding
      #expect(companding.isSynchronous == (expected.companding.sync == 1))
      #expect(companding.isAveraged == (expected.companding.avg == 1))
      #expect((0..<2).map { companding.isOn($0) ? 1 : 0 } == expected.companding.on)
      let element = walk.frame.extensions[0]
      let bands = try #require(element.bands)
      #expect(bands.signalHigh == expected.aspx.sbg_high)
      #expect(bands.signalLow == expected.aspx.sbg_low)
      #expect(bands.noise == expected.aspx.sbg_noise)
      #expect(bands.first == expected.aspx.sba)
      #expect((bands.crossover, bands.end) == (expected.aspx.sbx, expected.aspx.sbz))
      #expect(element.isBalance == (expected.aspx.balance == 1))
      for (channel, expected) in zip(element.channels, expected.aspx.ch) {
        check(channel, bands, expected)
      }
    }
  }

  private func check(
    _ channel: ASPXChannel, _ bands: ASPXBands, _ expected: ControlFrame.Channel
  ) {
    let framing = channel.framing
    let names = ["FIXFIX", "FIXVAR", "VARFIX", "VARVAR"]
    #expect(names[framing.interval.rawValue] == expected.cls)
    #expect((0...framing.envelopes).map { Int(framing.borders[$0]) } == expected.sig)
    #expect((0...framing.noiseEnvelopes).map { Int(framing.noiseBorders[$0]) } == expected.noise)
    #expect(framing.pointer == expected.tsg_ptr)
    #expect((0..<framing.envelopes).map { framing.isHigh($0) ? 1 : 0 } == expected.freq_res)
    #expect((channel.isCoarse ? 1 : 0) == expected.qmode)
    let overTime = (0..<framing.envelopes).map { Int(channel.signalOverTime >> UInt8($0) & 1) }
    #expect(overTime == expected.sig_dir)
    let noise = (0..<framing.noiseEnvelopes).map { Int(channel.noiseOverTime >> UInt8($0) & 1) }
    #expect(noise == expected.noise_dir)
    #expect((0..<bands.noiseCount).map { Int(channel.filtering[$0]) } == expected.tna)
    let tones = (0..<bands.highCount).map { Int(channel.sinusoids >> UInt32($0) & 1) }
    #expect(tones == expected.ah)
    for (envelope, values) in expected.sig_delta.enumerated() {
      let row = envelope * ASPXChannel.rowLength
      #expect((0..<values.count).map { Int(channel.signal.base[row + $0]) } == values)
      #expect(values.count == bands.signal(isHigh: framing.isHigh(envelope)).count - 1)
    }
    for (envelope, values) in expected.noise_delta.enumerated() {
      let row = envelope * ASPXChannel.rowLength
      #expect((0..<values.count).map { Int(channel.noise.base[row + $0]) } == values)
    }
  }
}
