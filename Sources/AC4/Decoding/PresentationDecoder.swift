// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// Decodes the substreams of one presentation at their coded rate and mixes them, or puts those of objects side by side.
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

  /// Data of a frame on the objects. The decoder is as before its first frame then.
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

/// A presentation that can be decoded, the decoder for it, and what comes out.
struct PresentationPick {
  let source: PresentationSource
  let chain: PresentationDecoder
  /// Elements in the planes of the output.
  let elements: [Programme.Element]
  /// The output's plane for each decoded channel; `nil` for one that isn't heard.
  let places: [Int?]
  /// The objects for a renderer; `nil` without objects.
  let objects: ObjectProgramme?

  /// Presentation `index` of a stream that `rawFrame` begins.
  /// - Throws: ``AC4Error/unsupported(_:)`` for what isn't decoded.
  init(
    _ toc: AC4TableOfContents, _ rawFrame: [UInt8], _ index: Int, _ options: AC4DecoderOptions
  ) throws(AC4Error) {
    guard toc.presentations.indices.contains(index) else {
      throw .unsupported("stream without the wanted presentation")
    }
    do throws(AC4Error) {
      source = try PresentationSource(toc, index, decodesObjects: options.decodesObjects)
      let rate = try toc.frameRate.divided(by: source.main.parts)
      chain = try PresentationDecoder(source, rate, options)
      let first = PresentationPick.firstFrame(toc, rawFrame, source, chain)
      objects =
        source.hasObjects
        ? try ObjectProgramme(source.substreams.compactMap(\.objects), first: first) : nil
      if let objects {
        (elements, places) = (objects.elements, objects.places)
      } else {
        guard let output = source.main.layout.output else {
          throw .unsupported("channel mode \(source.main.layout.mode?.name ?? "of signals")")
        }
        (elements, places) = ([.bed(output.layout)], output.places)
      }
    } catch {
      throw error.located(in: index)
    }
  }

  /// Data of the frame on objects; nothing without objects.
  private static func firstFrame(
    _ toc: AC4TableOfContents, _ rawFrame: [UInt8], _ source: PresentationSource,
    _ chain: PresentationDecoder
  ) -> ObjectFirstFrame {
    guard source.hasObjects else { return ObjectFirstFrame() }
    let read = rawFrame.withUnsafeBufferPointer { bytes in
      Result { () throws(AC4Error) in try chain.survey(BitReader(bytes), toc, source) }
    }
    // A frame that can't be read fails when it is decoded; until then its objects are silent.
    return (try? read.get()) ?? ObjectFirstFrame()
  }
}

/// Tools that were written from the text of the standard, and that no stream of a real encoder has proved here.
package struct AC4UnverifiedTools: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Objects whose downmix is a 5.X bed.
  package static let channelDownmix = AC4UnverifiedTools(rawValue: 1 << 0)
  /// Spectral extension (A-SPX) of the signals that objects are coded in.
  package static let signalExtension = AC4UnverifiedTools(rawValue: 1 << 1)
  /// Decorrelated sound in objects.
  package static let decorrelators = AC4UnverifiedTools(rawValue: 1 << 2)
  /// Coefficients of objects in more than one band.
  package static let bands = AC4UnverifiedTools(rawValue: 1 << 3)
  /// Finely quantised coefficients of objects.
  package static let fineSteps = AC4UnverifiedTools(rawValue: 1 << 4)
  /// Coefficients of objects as differences to earlier ones.
  package static let differences = AC4UnverifiedTools(rawValue: 1 << 5)
  /// Coefficients of objects that change within a frame.
  package static let ramps = AC4UnverifiedTools(rawValue: 1 << 6)
  /// Objects whose place or gain changes.
  package static let motion = AC4UnverifiedTools(rawValue: 1 << 7)
  /// A bed among the decoded objects.
  package static let bed = AC4UnverifiedTools(rawValue: 1 << 8)
  /// An alternative presentation of objects.
  package static let alternative = AC4UnverifiedTools(rawValue: 1 << 9)
  /// Objects in several substreams.
  package static let severalSubstreams = AC4UnverifiedTools(rawValue: 1 << 10)
  /// Immersive channels as sums and differences.
  package static let immersiveSums = AC4UnverifiedTools(rawValue: 1 << 11)
  /// Immersive channels as sums and differences with spectral extension.
  package static let extendedImmersiveSums = AC4UnverifiedTools(rawValue: 1 << 12)
  /// Immersive channels that are made from others, with coded residuals.
  package static let partlyCoupledImmersive = AC4UnverifiedTools(rawValue: 1 << 13)
  /// Immersive channels that are made from others.
  package static let coupledImmersive = AC4UnverifiedTools(rawValue: 1 << 14)
  /// Immersive channels that are coded jointly.
  package static let jointChannels = AC4UnverifiedTools(rawValue: 1 << 15)
  /// Codec frames that are spread over several frames.
  package static let spreadFrames = AC4UnverifiedTools(rawValue: 1 << 16)

  /// The tool of an immersive element in this codec mode.
  static func immersive(_ mode: CodecMode) -> AC4UnverifiedTools {
    switch mode {
    case .simple: .immersiveSums
    case .extended: .extendedImmersiveSums
    case .partlyCoupled: .partlyCoupledImmersive
    case .coupled, .widelyCoupled: .coupledImmersive
    case .joint: .jointChannels
    }
  }

  /// Each tool in words, in a fixed order.
  private static let words: [(tool: AC4UnverifiedTools, name: String)] = [
    (.channelDownmix, "objects coded in a 5.X bed"),
    (.signalExtension, "spectral extension (A-SPX) of the signals that objects are coded in"),
    (.decorrelators, "decorrelators of joint object coding (A-JOC)"),
    (.bands, "A-JOC coefficients in several bands"),
    (.fineSteps, "finely quantised A-JOC coefficients"),
    (.differences, "A-JOC coefficients as differences over time"),
    (.ramps, "A-JOC coefficients that change within a frame"),
    (.motion, "objects that move or change their gain"),
    (.bed, "a bed among the decoded objects"),
    (.alternative, "alternative presentations of objects"),
    (.severalSubstreams, "objects in several substreams"),
    (.immersiveSums, "channels above as sums and differences (SCPL)"),
    (.extendedImmersiveSums, "channels above as sums and differences with A-SPX (ASPX_SCPL)"),
    (.partlyCoupledImmersive, "coupled channels above with residuals (ASPX_ACPL_1)"),
    (.coupledImmersive, "coupled channels above (ASPX_ACPL_2)"),
    (.jointChannels, "joint channel coding (A-JCC)"),
    (.spreadFrames, "codec frames that are spread over several frames (efficient high frame rate)"),
  ]

  /// The names of the tools in the set.
  package var names: [String] {
    AC4UnverifiedTools.words.filter { contains($0.tool) }.map(\.name)
  }
}
