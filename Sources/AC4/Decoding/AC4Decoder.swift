// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// Decodes one presentation of an AC-4 stream (ETSI TS 103 190-1 and -2).
///
/// Substreams of mono to 7.1.4 are decoded, immersive stereo among them, and objects that are coded jointly (A-JOC), at every
/// frame rate and with all tools but the speech spectral front end. Dialogue and associated audio that have substreams of
/// their own are mixed with the gains and places that the stream gives them. Modes beyond stereo were written from the
/// text alone: no real stream was at hand to prove them.
///
/// The decoder takes its own delay out: the first sample that comes out is the first sample of the first
/// frame, and after ``flush(into:)`` as many samples have come out as the frames last. Neither
/// the level nor anything else changes unless an option asks for it. Not thread-safe; one owner at a time.
package final class AC4Decoder {
  /// Elements in the planes of the output: a bed, where there is one, then objects.
  package let elements: [Programme.Element]
  /// Index of the presentation that is decoded.
  package let presentation: Int
  /// Timing of the stream's frames.
  package let frameRate: AC4FrameRate
  /// Rate in Hz of a programme that is coded at 96 or 192 kHz; `nil` for others. Only its base, at the rate
  /// of ``format``, is decoded, not the extension for higher frequencies.
  package let fullSampleRate: Int?

  private let chain: PresentationDecoder
  private let output: DecoderOutput
  /// When objects move; `nil` without objects.
  private let times: ObjectTimes?
  private var continuity = FrameContinuity()
  /// Metadata of the presentation's own substream; `nil` when nothing that is done depends on them.
  private var metadata: PresentationMetadataState?
  /// Table of contents of the current frame; its memory serves frame after frame.
  private var toc: AC4TableOfContents
  /// Substreams of the current frame.
  private var source: PresentationSource
  /// Codec frames in a transport frame.
  private let codecFrames: Int
  /// Codec frames of the current transport frame that came out already, while others of it failed.
  private var codecFramesDone = 0
  /// Transport frames decoded or concealed since the start.
  private var framesDecoded: Int64 = 0
  /// Whether the current frame is known to be an I-frame.
  private var isIFrame = false

  /// A decoder for the stream that this frame begins.
  /// - Parameters:
  ///   - rawFrame: a frame of the stream, without sync header and checksum.
  ///   - presentation: index of the presentation; by default the first one that may be selected and can
  ///     be decoded.
  ///   - options: the changes to the sound that it makes.
  /// - Throws: ``AC4Error/unsupported(_:)`` when the presentation needs a tool that this decoder
  ///   lacks, ``AC4Error/damaged(_:)`` when the frame can't be read.
  package init(
    rawFrame: [UInt8], presentation: Int? = nil, options: AC4DecoderOptions = .init()
  ) throws(AC4Error) {
    let toc = try AC4TableOfContents(rawFrame: rawFrame)
    let choice = try AC4Decoder.choose(toc, rawFrame, presentation, options)
    let (source, chain) = (choice.source, choice.chain)
    self.toc = toc
    self.source = source
    self.chain = chain
    self.presentation = source.presentation
    codecFrames = source.main.parts
    let highest = source.substreams.compactMap(\.rateMultiplier).max()
    // `sf_multiplier`: 0 is 96 kHz, 1 is 192 kHz.
    fullSampleRate = highest.map { 96_000 << $0 }
    frameRate = toc.frameRate
    elements = choice.elements
    let length = try toc.frameRate.divided(by: source.main.parts).codedFrameLength
    output = DecoderOutput(
      choice.places, toc.frameRate, codedLength: length, delay: chain.timing.delay)
    times = choice.objects.map { ObjectTimes($0, toc.frameRate, codedLength: length) }
    if !source.hasObjects, options.dynamicRange != .off || source.substreams.count > 1 {
      metadata = PresentationMetadataState(
        source.main.layout.mode, frameLength: toc.frameRate.codedFrameLength)
    }
  }

  /// Rate and layout of what comes out; where that has objects, the layout is that of the bed alone, and may be empty.
  package var format: AudioFormat {
    var bed = ChannelLayout([])
    if case .bed(let layout)? = elements.first { bed = layout }
    return AudioFormat(sampleRate: frameRate.sampleRate, layout: bed)
  }

  /// Decibels by which the first frame lets dialogue of objects be raised; `nil` where no object is dialogue, and
  /// without objects.
  package var objectDialogueLimit: Double? { times?.programme.dialogueLimit }

  /// Samples at the beginning in which objects are silent, because the frame that says what they are made of isn't
  /// in force yet (TS 103 190-2, 5.7.3); 0 without objects.
  package var silentBeginning: Int {
    guard times != nil else { return 0 }
    let timing = chain.timing
    let wait = max(0, timing.controlDelay * timing.length - timing.delay)
    return wait * frameRate.resampleUp / frameRate.resampleDown
  }

  /// Tools that the frames so far needed and that no stream of a real encoder has proved here.
  package var unverified: AC4UnverifiedTools {
    chain.unverified.union(times?.hasMotion == true ? .motion : [])
  }

  /// Substreams that are decoded together, at least 1.
  package var substreamCount: Int { source.substreams.count }

  /// The coded signals that objects are made of, e.g. `9 signals and LFE`, for one substream after the other; empty
  /// without objects.
  package var objectDownmixes: [String] { source.substreams.compactMap { $0.objects?.downmixName } }

  /// Planes of the output.
  package var planes: Int { elements.reduce(0) { $0 + $1.planes } }

  /// Samples at the coded rate by which decoding delays the signal; they are taken out already.
  package var codedDelay: Int { chain.timing.delay }

  /// Decodes the next frame and appends what is finished to `buffer`; updates of objects are dropped.
  ///
  /// The first frames give fewer samples than they last. When it throws, it appends nothing and leaves the
  /// decoder as it was, except that after a damaged I-frame it forgets the settings that the frame might
  /// have changed; the frames that need them throw until the next I-frame. Call ``conceal(into:)`` to keep
  /// the timing. If a transport frame holds several codec frames, those before the damaged one are
  /// appended, and concealing fills up the rest.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` before the first I-frame and after a gap,
  ///   ``AC4Error/damaged(_:)``, ``AC4Error/unsupported(_:)``.
  package func decode(rawFrame: [UInt8], into buffer: AudioBuffer) throws(AC4Error) {
    defer { times?.drop(before: output.samples) }
    try decodeFrame(rawFrame, into: buffer)
  }

  private func decodeFrame(_ rawFrame: [UInt8], into buffer: AudioBuffer) throws(AC4Error) {
    let result = rawFrame.withUnsafeBufferPointer { bytes in
      Result { () throws(AC4Error) in try decode(BitReader(bytes), buffer) }
    }
    guard case .failure(let error) = result else { return }
    // The frames behind a lost I-frame depend on settings that it may have changed.
    if continuity.isStarted, isIFrame { chain.forgetSettings() }
    throw error.located(inFrame: framesDecoded)
  }

  /// Decodes the next frame as ``decode(rawFrame:into:)-(_,AudioBuffer)`` does, with the updates of its objects.
  package func decode(rawFrame: [UInt8], into block: ProgrammeBlock) throws(AC4Error) {
    let (place, first) = (block.frames, output.samples)
    // A frame that fails may have given samples: its codec frames before the damaged one.
    defer { times?.finish(block, from: place, first: first) }
    try decodeFrame(rawFrame, into: block.audio)
  }

  /// Makes up one frame as ``conceal(into:)-(AudioBuffer)`` does; objects keep their places.
  package func conceal(into block: ProgrammeBlock) {
    let (place, first) = (block.frames, output.samples)
    concealFrame(into: block.audio)
    times?.finish(block, from: place, first: first)
  }

  /// Appends what ``flush(into:)-(AudioBuffer)`` does, with the updates of objects in it.
  package func flush(into block: ProgrammeBlock) {
    let (place, first) = (block.frames, output.samples)
    flush(into: block.audio)
    times?.finish(block, from: place, first: first)
  }

  /// Makes up one frame from silence in place of a damaged or lost one.
  package func conceal(into buffer: AudioBuffer) {
    concealFrame(into: buffer)
    times?.drop(before: output.samples)
  }

  private func concealFrame(into buffer: AudioBuffer) {
    for _ in codecFramesDone..<codecFrames {
      chain.conceal(into: output.channelStart)
      output.emit(into: buffer)
    }
    codecFramesDone = 0
    framesDecoded += 1
    continuity.concealed()
  }

  /// Forgets all frames, as a seek needs it: the next one must be an I-frame, and its first sample is the
  /// first that comes out.
  package func reset() {
    chain.reset()
    output.reset()
    times?.reset()
    metadata?.forgetSettings()
    continuity = FrameContinuity()
    framesDecoded = 0
    codecFramesDone = 0
  }

  /// Appends the samples that are still inside; only ``reset()`` makes decoding possible after it.
  package func flush(into buffer: AudioBuffer) {
    let total = frameRate.samples(inFrames: framesDecoded)
    while output.samples < total {
      chain.conceal(into: output.channelStart)
      output.emit(into: buffer, limit: total)
    }
  }

  // MARK: One frame

  private func decode(_ bits: BitReader, _ buffer: AudioBuffer) throws(AC4Error) {
    isIFrame = false
    try toc.read(bits)
    isIFrame = toc.isIFrame
    try locateSubstreams()
    if try continuity.step(to: toc) == .newSource {
      // The old source fades into the new one, but its settings are no longer valid.
      chain.changeSource()
      metadata?.forgetSettings()
    }
    // A frame that failed after some of its codec frames, and wasn't concealed, must last as long, too.
    if codecFramesDone > 0 { concealFrame(into: buffer) }
    let data = try metadata?.read(
      bits, toc, toc.presentations[presentation], substreams: source.count)
    for part in 0..<codecFrames {
      do throws(AC4Error) {
        try chain.decode(bits, toc, source, part: part, data, into: output.channelStart)
      } catch {
        throw error.located(in: presentation)
      }
      times?.add(chain.objects, frame: framesDecoded * Int64(codecFrames) + Int64(part))
      output.emit(into: buffer)
      codecFramesDone = part + 1
    }
    codecFramesDone = 0
    continuity.decoded(toc)
    framesDecoded += 1
  }

  /// Finds the presentation's substreams in the current frame, which must be like those of the first.
  private func locateSubstreams() throws(AC4Error) {
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
    guard chain.canDecode(source) else {
      throw .unsupported("change of channels or substreams within a stream")
    }
  }

  /// A decoder for the wanted presentation, else for the first that can be decoded of those that may be
  /// selected.
  private static func choose(
    _ toc: AC4TableOfContents, _ rawFrame: [UInt8], _ wanted: Int?, _ options: AC4DecoderOptions
  ) throws(AC4Error) -> PresentationPick {
    var candidates = wanted.map { [$0] } ?? toc.selectablePresentations
    if candidates.isEmpty { candidates = [0] }
    var failure: AC4Error?
    for index in candidates {
      do throws(AC4Error) {
        return try PresentationPick(toc, rawFrame, index, options)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? .unsupported("stream without presentations")
  }
}

/// The changes to the sound that a decoder makes from the stream's metadata.
package struct AC4DecoderOptions: Sendable, Equatable {
  /// The dynamic range profile of a stream that is applied.
  package enum DynamicRange: String, Sendable, CaseIterable {
    /// None.
    case off
    /// The one for home theatres (mode 0, output levels of −31…−27 dB).
    case line
    /// The one for flat panels (mode 1, output levels of −26…−17 dB).
    case rf
  }

  /// Gain of dialogue in dB, 0…12; the stream may allow less. 0 changes nothing.
  package var dialogueGain: Double
  /// Dynamic range control, which compresses around the stream's dialogue level and doesn't bring that to an
  /// output level.
  package var dynamicRange: DynamicRange

  /// Whether objects are decoded. Otherwise a presentation with objects gives the bed of channels that they are coded
  /// in, where it is one.
  package var decodesObjects: Bool

  /// Options; by default nothing is done.
  package init(
    dialogueGain: Double = 0, dynamicRange: DynamicRange = .off, decodesObjects: Bool = true
  ) {
    self.dialogueGain = dialogueGain
    self.dynamicRange = dynamicRange
    self.decodesObjects = decodesObjects
  }

  /// Whether the options change nothing.
  var isPlain: Bool { dialogueGain <= 0 && dynamicRange == .off }
}
