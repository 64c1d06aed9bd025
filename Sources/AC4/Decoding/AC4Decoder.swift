import AudioCore

/// Decodes one presentation of an AC-4 stream (ETSI TS 103 190-1 and -2).
///
/// Dialogue and associated audio in substreams of their own are mixed in with the gains and places that
/// the stream gives them.
/// Substreams of mono to 7.1 with all their tools but speech coding, immersive stereo among them,
/// at every frame rate. Modes beyond stereo follow the text alone: no real stream was at hand to
/// prove them. The decoder's own delay is taken out: the first sample that comes out is the first
/// sample of the first frame, and after ``flush(into:)`` as many samples have come out as the
/// frames last. The level isn't changed to the stream's dialogue level, nor anything else unless an
/// option says so. Not thread-safe; one owner at a time.
package final class AC4Decoder {
  /// Rate and layout of what comes out.
  package let format: AudioFormat
  /// Index of the presentation that is decoded.
  package let presentation: Int
  /// Timing of the stream's frames.
  package let frameRate: AC4FrameRate
  /// Rate in Hz that the programme was coded at when that is higher: what lies above half the rate of
  /// ``format`` isn't decoded.
  package let fullSampleRate: Int?
  /// Substreams that are decoded and mixed, at least 1.
  package let substreamCount: Int

  private let mode: AC4ChannelMode
  private let places: [Int]
  private let parts: Int
  private let chain: PresentationDecoder
  /// Where the frame at hand has its substreams.
  private var source: PresentationSource
  private let readsPresentation: Bool
  private let converters: [RateConverter]
  /// That of the frame at hand; its memory serves frame after frame.
  private var toc: AC4TableOfContents
  private let books = MetadataBooks()
  private var metadata = PresentationMetadataReader()
  /// Samples of one coded frame, one after the other for each channel.
  private let coded: FixedBuffer<Float>
  private let codedLength: Int
  /// Coded samples that still have to be dropped at the start.
  private var toDrop: Int
  private var framesDecoded: Int64 = 0
  private var samplesOut: Int64 = 0
  private var lastCounter: Int?
  /// Codec frames of the current transport frame that are out already: others of it failed.
  private var partsDone = 0
  private var isStarted = false
  /// Whether the frame at hand is known to be an I-frame.
  private var isIFrame = false

  /// A decoder for the stream that this frame begins.
  /// - Parameters:
  ///   - rawFrame: a frame of the stream, without sync header and checksum.
  ///   - presentation: index of the presentation; by default the first one that may be selected and can
  ///     be decoded.
  ///   - options: what is done beyond decoding.
  /// - Throws: ``AC4Error/unsupported(_:)`` when the presentation needs a tool that this decoder
  ///   lacks, ``AC4Error/damaged(_:)`` when the frame can't be read.
  package init(
    rawFrame: [UInt8], presentation: Int? = nil, options: AC4DecoderOptions = .init()
  ) throws(AC4Error) {
    let toc = try AC4TableOfContents(rawFrame: rawFrame)
    let choice = try AC4Decoder.choose(toc, presentation, options)
    self.toc = toc
    source = choice.source
    chain = choice.chain
    self.presentation = source.presentation
    let mode = source.main.mode
    self.mode = mode
    places = mode.places
    parts = source.main.parts
    substreamCount = source.substreams.count
    let highest = source.substreams.compactMap(\.rateMultiplier).max()
    fullSampleRate = highest.map { 96_000 << $0 }
    frameRate = toc.frameRate
    let layout = choice.layout
    let partRate = try toc.frameRate.divided(by: parts)
    format = AudioFormat(sampleRate: toc.frameRate.sampleRate, layout: layout)
    codedLength = partRate.codedFrameLength
    coded = FixedBuffer(0, count: codedLength * mode.channels)
    toDrop = chain.timing.delay
    readsPresentation = options.dynamicRange != .off || source.substreams.count > 1
    if frameRate.resampleUp == frameRate.resampleDown {
      converters = []
    } else {
      let length = codedLength
      let (up, down) = (frameRate.resampleUp, frameRate.resampleDown)
      converters = (0..<mode.channels).map { _ in
        RateConverter(up: up, down: down, largest: length)
      }
    }
  }

  /// Coded samples by which the decoder's chain delays the signal; already taken out.
  package var codedDelay: Int { chain.timing.delay }

  /// Decodes the next frame and appends what is finished to `output`.
  ///
  /// The first frames give fewer samples than they last. When it throws, nothing is appended and
  /// the decoder is as before, but for the settings that a damaged I-frame might have changed: frames
  /// that need them wait for the next one. ``conceal(into:)`` then keeps the timing. Only where one transport
  /// frame holds several codec frames, those before the damaged one are appended, and concealing
  /// fills up the rest.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` before the first I-frame and after a gap,
  ///   ``AC4Error/damaged(_:)``, ``AC4Error/unsupported(_:)``.
  package func decode(rawFrame: [UInt8], into output: AudioBuffer) throws(AC4Error) {
    let result = rawFrame.withUnsafeBufferPointer { buffer in
      Result { () throws(AC4Error) in try decode(BitReader(buffer), output) }
    }
    guard case .failure(let error) = result else { return }
    // What the frames behind a lost I-frame go by isn't known.
    if isStarted, isIFrame { chain.forgetSettings() }
    throw error.located(inFrame: framesDecoded)
  }

  /// Makes up one frame from silence in place of a damaged or lost one.
  package func conceal(into output: AudioBuffer) {
    for _ in partsDone..<parts {
      chain.conceal(into: channelStart)
      emit(into: output)
    }
    partsDone = 0
    framesDecoded += 1
    if let counter = lastCounter { lastCounter = counter >= 1020 ? 1 : counter + 1 }
  }

  /// Begins anew, as after a seek: the next frame must be an I-frame, and its first sample is the
  /// first that comes out.
  package func reset() {
    chain.reset()
    for converter in converters { converter.reset() }
    metadata = PresentationMetadataReader()
    toDrop = chain.timing.delay
    framesDecoded = 0
    samplesOut = 0
    lastCounter = nil
    isStarted = false
    partsDone = 0
  }

  /// Appends the samples that are still inside; only ``reset()`` makes decoding possible after it.
  package func flush(into output: AudioBuffer) {
    let total = frameRate.samples(inFrames: framesDecoded)
    while samplesOut < total {
      chain.conceal(into: channelStart)
      emit(into: output, limit: total)
    }
  }

  // MARK: One frame

  private func decode(_ bits: BitReader, _ output: AudioBuffer) throws(AC4Error) {
    isIFrame = false
    try toc.read(bits)
    isIFrame = toc.isIFrame
    do throws(AC4Error) {
      guard toc.presentations.indices.contains(presentation) else {
        throw .damaged("a frame without the presentation")
      }
      try source.update(toc, presentation)
    } catch {
      throw error.located(in: presentation)
    }
    guard toc.frameRate == frameRate else {
      throw .unsupported("change of frame rate within a stream")
    }
    guard chain.takes(source) else {
      throw .unsupported("change of channels or substreams within a stream")
    }
    try checkContinuity(toc)
    // A frame that broke off in its middle and wasn't concealed has to last, too.
    if partsDone > 0 { conceal(into: output) }
    let said = readsPresentation ? try presentationMetadata(bits, toc) : nil
    for part in 0..<parts {
      do throws(AC4Error) {
        try chain.decode(bits, toc, source, part: part, said, into: channelStart)
      } catch {
        throw error.located(in: presentation)
      }
      emit(into: output)
      partsDone = part + 1
    }
    partsDone = 0
    isStarted = true
    lastCounter = toc.sequenceCounter
    framesDecoded += 1
  }

  /// What the presentation's own substream says; `nil` when it has none, as in old streams.
  private func presentationMetadata(
    _ bits: BitReader, _ toc: AC4TableOfContents
  ) throws(AC4Error) -> AC4PresentationMetadata? {
    let described = toc.presentations[presentation]
    guard let place = described.substream else { return nil }
    guard toc.substreams.indices.contains(place) else {
      throw .damaged("a presentation without its substream")
    }
    let range = toc.substreams[place]
    var part = try bits.part(at: range.lowerBound, count: range.count)
    let context = MetadataContext(
      mode: mode, syntaxVersion: 1, isIFrame: described.isIndependent,
      frameLength: frameRate.codedFrameLength, books: books)
    var renewed = metadata
    let data = try renewed.read(&part, described, substreams: source.count, context)
    metadata = renewed
    return data
  }

  /// Frames that don't follow the last one need an I-frame (TS 103 190-1, 4.3.3.2.2).
  ///
  /// An I-frame that doesn't follow begins another source: what the old one said is forgotten, while its
  /// sound goes on into the new one's.
  private func checkContinuity(_ toc: AC4TableOfContents) throws(AC4Error) {
    let isNext: Bool
    if let last = lastCounter, last != 0 {
      let next = last >= 1020 ? 1 : last + 1
      isNext = toc.sequenceCounter == next || toc.sequenceCounter == 0
    } else {
      isNext = true
    }
    guard !toc.isIFrame else {
      if isStarted, !isNext {
        chain.changeSource()
        metadata = PresentationMetadataReader()
      }
      return
    }
    guard isStarted else { throw .needsIFrame("audio") }
    guard isNext else { throw .needsIFrame("audio after a gap") }
  }

  /// What a presentation is decoded with.
  private struct Choice {
    let source: PresentationSource
    let chain: PresentationDecoder
    let layout: ChannelLayout
  }

  /// The wanted presentation, else the first that can be decoded of those that may be selected.
  private static func choose(
    _ toc: AC4TableOfContents, _ wanted: Int?, _ options: AC4DecoderOptions
  ) throws(AC4Error) -> Choice {
    var candidates = wanted.map { [$0] } ?? toc.selectablePresentations
    if candidates.isEmpty { candidates = [0] }
    var failure: AC4Error?
    for index in candidates {
      do throws(AC4Error) {
        return try make(toc, index, options)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? .unsupported("stream without presentations")
  }

  private static func make(
    _ toc: AC4TableOfContents, _ index: Int, _ options: AC4DecoderOptions
  ) throws(AC4Error) -> Choice {
    guard toc.presentations.indices.contains(index) else {
      throw .unsupported("stream without the wanted presentation")
    }
    do throws(AC4Error) {
      let source = try PresentationSource(toc, index)
      let mode = source.main.mode
      guard let layout = mode.layout else { throw .unsupported("channel mode \(mode.name)") }
      let rate = try toc.frameRate.divided(by: source.main.parts)
      return Choice(
        source: source, chain: try PresentationDecoder(source, rate, options), layout: layout)
    } catch {
      throw error.located(in: index)
    }
  }

  private func channelStart(_ channel: Int) -> UnsafeMutablePointer<Float> {
    coded.base + channel * codedLength
  }

  /// Appends the coded frame, less the delay, at the output's rate.
  private func emit(into output: AudioBuffer, limit: Int64 = .max) {
    let dropped = min(toDrop, codedLength)
    toDrop -= dropped
    let count = codedLength - dropped
    guard count > 0 else { return }
    let start = output.frames
    let room = converters.first?.capacity(count) ?? count
    output.grow(by: room)
    var made = count
    for channel in 0..<mode.channels {
      let target = output.channel(places[channel])
      guard let base = target.baseAddress else { continue }
      let source = channelStart(channel) + dropped
      if converters.isEmpty {
        (base + start).update(from: source, count: count)
      } else {
        made = converters[channel].process(source, count, into: base + start)
      }
    }
    let kept = Int(min(Int64(made), limit - samplesOut))
    output.truncate(to: start + kept)
    samplesOut += Int64(kept)
  }
}
