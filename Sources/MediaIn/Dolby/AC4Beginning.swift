import AC4
import AudioCore

/// The beginning of an AC-4 track: its first I-frame, and the decoder of the presentation that is played.
struct AC4Beginning {
  /// The first I-frame.
  let unit: AccessUnit
  /// Frames before it.
  let index: Int
  /// What it says of all presentations.
  let facts: AC4FrameFacts
  /// What has read it, and reads the facts of later frames.
  let inspector: AC4Inspector
  /// The decoder, which hasn't decoded anything.
  let decoder: AC4Decoder
  /// Why this presentation is decoded.
  let reason: String

  /// Looks for the first I-frame of `source`.
  /// - Throws: ``MediaError`` when there is none, or when it is damaged or needs a tool that isn't there.
  init(
    _ source: any AccessUnitSource, _ options: InputOptions, path: String, log: DiagnosticLog
  ) throws {
    (unit, index) = try AC4Beginning.firstKeyFrame(source, path, log)
    let data = unit.data
    var inspector = AC4Inspector()
    do {
      facts = try inspector.inspect(rawFrame: data)
    } catch {
      throw AC4Beginning.failure(error, path)
    }
    self.inspector = inspector
    let leavesObjects =
      options.asksForChannels && facts.presentations.contains { $0.objects != nil }
    do {
      (decoder, reason) = try AC4PresentationChoice(options.presentation, facts, path: path).first {
        (index) throws(AC4Error) in
        try AC4Decoder(
          rawFrame: data, presentation: index, options: AC4Beginning.decoderOptions(options))
      }
    } catch let error as AC4Error {
      let hint =
        "; leave \(setting: .objects) bed and \(setting: .inputLayout) out to hear its objects"
      throw AC4Beginning.failure(error, path, hint: leavesObjects ? hint : "")
    }
  }

  private static func failure(_ error: AC4Error, _ path: String, hint: String = "") -> MediaError {
    error.isUnsupported
      ? MediaError(.unsupportedCodec, about: path, "\(error)\(hint)")
      : MediaError(.damaged, about: path, "\(error)")
  }

  /// The facts of the presentation that is decoded.
  var chosen: AC4PresentationFacts? {
    facts.presentations.first { $0.index == decoder.presentation }
  }

  /// What is known of the objects that are decoded; `nil` for channels alone.
  var objectCoding: ObjectCodingFacts? {
    let bed = decoder.format.layout
    let objects = decoder.planes - bed.count
    guard objects > 0 else { return nil }
    return ObjectCodingFacts(
      complexity: nil, bed: bed.count > 0 ? bed : nil, objects: objects,
      downmix: decoder.objectDownmixes.joined(separator: " + "), updatesPerSecond: nil)
  }

  /// What comes out, with the facts that the frame states.
  /// - Parameter downmix: the mix to two channels that it states.
  func programme(_ downmix: CarriedDownmix?, language: String?) -> Programme {
    let isForHeadphones =
      chosen.map { $0.presentation.isImmersiveStereo || $0.presentation.isPreVirtualized } ?? false
    let hasObjects = objectCoding != nil
    return Programme(
      sampleRate: decoder.format.sampleRate, elements: decoder.elements,
      facts: ProgrammeFacts(
        dialnorm: chosen?.dialnorm, hasDynamicRange: chosen.map { $0.dynamicRange != nil },
        // The mix is one of channels, which aren't what is heard where objects are decoded.
        downmix: hasObjects ? nil : downmix, virtualization: isForHeadphones ? .binaural : nil,
        language: language, objects: chosen?.objects == nil ? .no : .yes))
  }

  private static func decoderOptions(_ options: InputOptions) -> AC4DecoderOptions {
    AC4DecoderOptions(
      dialogueGain: options.dialogueGain,
      dynamicRange: AC4DecoderOptions.DynamicRange(rawValue: options.dynamicRange.rawValue) ?? .off,
      decodesObjects: !options.asksForChannels)
  }

  private static func firstKeyFrame(
    _ source: any AccessUnitSource, _ path: String, _ log: DiagnosticLog
  ) throws -> (unit: AccessUnit, index: Int) {
    var index = 0
    while let unit = try source.next() {
      if unit.isSync {
        if index > 0 {
          log.degrade(
            .leadingFramesLeftOut,
            "\(index) AC-4 frame(s) before the first I-frame can't be decoded and are left out")
        }
        return (unit, index)
      }
      index += 1
    }
    throw MediaError(.damaged, about: path, "its AC-4 track has no I-frame to begin with")
  }
}
