/// Decodes the substreams of one presentation at their coded rate and mixes them.
final class PresentationDecoder {
  /// The substreams of the first frame, which all frames must have.
  private let source: PresentationSource
  private let substreams: [SubstreamDecoder]
  /// `nil` for a single substream.
  private let mixer: PresentationMixer?

  /// A decoder of presentations like `source`, whose codec frames come at `rate`.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channels or mixes that it lacks.
  init(
    _ source: PresentationSource, _ rate: AC4FrameRate, _ options: AC4DecoderOptions
  ) throws(AC4Error) {
    self.source = source
    let isMixed = source.substreams.count > 1
    var substreams: [SubstreamDecoder] = []
    for (index, part) in source.substreams.enumerated() {
      // Dynamic range control works on the finished mix, which is made in the main substream.
      var own = options
      if index > 0 { own.dynamicRange = .off }
      substreams.append(
        try SubstreamDecoder(
          part.mode, rate, rate.timing, addsToSurrounds: part.addsToSurrounds, own,
          role: part.role, isMixed: isMixed))
    }
    self.substreams = substreams
    mixer = isMixed ? try PresentationMixer(source.substreams, rate.timing, options) : nil
  }

  /// Slots and delays that follow from the length of the frames.
  var timing: FrameTiming { substreams[0].timing }

  /// Whether frames with the substreams of `other` can be decoded.
  func canDecode(_ other: PresentationSource) -> Bool { source.isLike(other) }

  /// Decodes codec frame `part` of a transport frame into one frame length of samples for each channel.
  ///
  /// Nothing is written when it throws.
  /// - Parameters:
  ///   - bits: the frame from its first bit.
  ///   - metadata: those of the presentation's own substream, if there is one.
  ///   - output: where the samples of each channel go.
  func decode(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ source: PresentationSource, part: Int,
    _ metadata: AC4PresentationMetadata?, into output: (Int) -> UnsafeMutablePointer<Float>
  ) throws(AC4Error) {
    let control = metadata.map {
      DynamicRangeController.Control(data: $0.dynamicRange, dialnorm: $0.dialnorm)
    }
    // All are read before any is decoded: if one can't be read, none moves on.
    for (index, place) in source.substreams.enumerated() {
      let number = place.first + part
      guard toc.substreams.indices.contains(number) else {
        throw .damaged("substream \(number) isn't there")
      }
      let range = toc.substreams[number]
      var reader = try bits.part(at: range.lowerBound, count: range.count)
      try substreams[index].read(
        &reader,
        SubstreamInfo(
          isIFrame: place.isIFrame(part), sequenceCounter: toc.sequenceCounter,
          syntaxVersion: place.syntaxVersion), control)
    }
    mixer?.prepare(
      metadata, { substreams[$0].currentMetadata }, source.substreams, part: part)
    finish(into: output)
  }

  /// Decodes silence in place of a frame: the sound of the frames before fades out.
  func conceal(into output: (Int) -> UnsafeMutablePointer<Float>) {
    for substream in substreams { substream.conceal() }
    mixer?.hold()
    finish(into: output)
  }

  /// Forgets the settings of the last I-frame.
  func forgetSettings() {
    for substream in substreams { substream.changeSource() }
  }

  /// Forgets settings and gains, not the sound: the next frame comes from another source.
  func changeSource() {
    forgetSettings()
    mixer?.changeSource()
  }

  /// Forgets everything.
  func reset() {
    for substream in substreams { substream.reset() }
    mixer?.reset()
  }

  /// Decodes, mixes and synthesises what all substreams have read or concealed.
  private func finish(into output: (Int) -> UnsafeMutablePointer<Float>) {
    for substream in substreams { substream.stage() }
    mixer?.apply(substreams[0].staged) { substreams[$0 + 1].staged }
    substreams[0].finish(into: output)
  }
}
