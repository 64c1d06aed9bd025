import AudioCore
import ObjectMetadata

/// A presentation that can be decoded, the decoder for it, and what comes out.
struct PresentationPick {
  let source: PresentationSource
  let chain: PresentationDecoder
  /// What the planes of the output hold.
  let elements: [Programme.Element]
  /// The output's plane for each decoded channel; `nil` for one that isn't heard.
  let places: [Int?]
  /// What the objects are to a renderer; `nil` without objects.
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

  /// What the frame says of objects; nothing without objects.
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
