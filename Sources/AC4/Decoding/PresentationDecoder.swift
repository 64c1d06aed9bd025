import ObjectMetadata

/// Decodes the substreams of one presentation at their coded rate and mixes them. Those of objects stand side by side.
final class PresentationDecoder {
  /// The substreams of the first frame, which all frames must have.
  private let source: PresentationSource
  private let substreams: [SubstreamDecoder]
  /// `nil` for a single substream, and for objects.
  private let mixer: PresentationMixer?
  /// The metadata that objects of several substreams share.
  private var objectMetadata = ObjectSubstreamReader()

  /// A decoder of presentations like `source`, whose codec frames come at `rate`.
  /// - Throws: ``AC4Error/unsupported(_:)`` for channels or mixes that it lacks.
  init(
    _ source: PresentationSource, _ rate: AC4FrameRate, _ options: AC4DecoderOptions
  ) throws(AC4Error) {
    self.source = source
    let isMixed = source.substreams.count > 1 && !source.hasObjects
    var substreams: [SubstreamDecoder] = []
    for (index, part) in source.substreams.enumerated() {
      // Dynamic range control works on the finished mix, which is made in the main substream.
      var own = options
      if index > 0 { own.dynamicRange = .off }
      substreams.append(try SubstreamDecoder(part, rate, own, isMixed: isMixed))
    }
    self.substreams = substreams
    objects = substreams.compactMap { $0.upmix?.metadata }
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
    try read(bits, toc, source, part: part, metadata)
    mixer?.prepare(
      metadata, { substreams[$0].currentMetadata }, source.substreams, part: part)
    finish(into: output)
  }

  /// Reads codec frame `part` of all substreams. All are read before any is decoded: if one can't be read, none moves on.
  private func read(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ source: PresentationSource, part: Int,
    _ metadata: AC4PresentationMetadata?
  ) throws(AC4Error) {
    let control = metadata.map {
      DynamicRangeController.Control(data: $0.dynamicRange, dialnorm: $0.dialnorm)
    }
    var shared = objectMetadata
    if let place = source.objectMetadata {
      try shared.read(PresentationDecoder.substream(place, bits, toc))
    }
    for (index, place) in source.substreams.enumerated() {
      var reader = try PresentationDecoder.substream(place.first + part, bits, toc)
      try substreams[index].read(
        &reader,
        SubstreamInfo(
          isIFrame: place.isIFrame(part), sequenceCounter: toc.sequenceCounter,
          syntaxVersion: place.syntaxVersion, objectTiming: shared.timing,
          isAlternative: source.isAlternative), control)
    }
    objectMetadata = shared
  }

  /// A reader of the substream with this number.
  private static func substream(
    _ number: Int, _ bits: BitReader, _ toc: AC4TableOfContents
  ) throws(AC4Error) -> BitReader {
    guard toc.substreams.indices.contains(number) else {
      throw .damaged("substream \(number) isn't there")
    }
    let range = toc.substreams[number]
    return try bits.part(at: range.lowerBound, count: range.count)
  }

  /// The metadata of the objects in the frame read last: those of one substream after the other.
  let objects: [ObjectPortion]

  /// What a frame says of the objects. The decoder is as before its first frame then.
  func survey(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ source: PresentationSource
  ) throws(AC4Error) -> ObjectFirstFrame {
    defer { reset() }
    try read(bits, toc, source, part: 0, nil)
    let infos = objects.flatMap { portion in
      (0..<portion.count).map { portion.timing.count > 0 ? portion.info($0, 0) : nil }
    }
    // Each substream has a limit of its own; the highest says how far anything can be raised.
    return ObjectFirstFrame(
      infos: infos, dialogueLimit: substreams.compactMap { $0.upmix?.dialogueLimit }.max())
  }

  /// Tools that the frames so far needed and that no real stream has proved.
  var unverified: AC4UnverifiedTools {
    var tools: AC4UnverifiedTools = []
    for substream in substreams { tools.formUnion(substream.unverified) }
    guard source.hasObjects else { return tools }
    if source.isAlternative { tools.insert(.alternative) }
    if substreams.count > 1 { tools.insert(.severalSubstreams) }
    return tools
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
    objectMetadata.reset()
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
    guard source.hasObjects else {
      mixer?.apply(substreams[0].staged) { substreams[$0 + 1].staged }
      return substreams[0].finish(into: output)
    }
    var first = 0
    for (substream, place) in zip(substreams, source.substreams) {
      substream.finish { output(first + $0) }
      first += place.objects?.outputs ?? 0
    }
  }
}
