// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore

/// The beginning of an AC-4 track: its first I-frame, and the decoder of the presentation that is played.
struct AC4Beginning {
  /// The first I-frame.
  let unit: AccessUnit
  /// Frames before it.
  let index: Int
  /// Facts that it states about all presentations.
  let facts: AC4FrameFacts
  /// Inspector that has read it, and reads the facts of later frames.
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

  /// Facts about the objects that are decoded; `nil` for channels alone.
  var objectCoding: ObjectCodingFacts? {
    let bed = decoder.format.layout
    let objects = decoder.planes - bed.count
    guard objects > 0 else { return nil }
    return ObjectCodingFacts(
      complexity: nil, bed: bed.count > 0 ? bed : nil, objects: objects,
      downmix: decoder.objectDownmixes.joined(separator: " + "), updatesPerSecond: nil)
  }

  /// Programme of the decoder, with the facts that the frame states.
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
      dialogueGain: options.decodedDialogueGain,
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
            index.counted("AC-4 frame", "AC-4 frames")
              + " before the first I-frame can't be decoded and "
              + (index == 1 ? "is left out" : "are left out"))
        }
        return (unit, index)
      }
      index += 1
    }
    throw MediaError(.damaged, about: path, "its AC-4 track has no I-frame to begin with")
  }
}

/// The presentations of an AC-4 track that may be decoded, the best one first, and why.
struct AC4PresentationChoice {
  /// A presentation that may be decoded.
  private struct Candidate {
    /// Its index; `nil` for the first one that can be decoded.
    let index: Int?
    /// Why it is taken.
    let reason: String
  }

  private let candidates: [Candidate]

  /// The presentations that `wanted` names in a track whose first I-frame has these facts.
  /// - Throws: ``MediaError`` of kind `usage` where none has the number.
  init(_ wanted: PresentationChoice?, _ facts: AC4FrameFacts, path: String) throws {
    let usual = "first of \(facts.presentations.count) that can be decoded"
    switch wanted {
    case nil: candidates = [Candidate(index: nil, reason: usual)]
    case .number(let number):
      candidates = [
        Candidate(
          index: try AC4PresentationChoice.numbered(number, facts, path),
          reason: "asked for by \(setting: .presentation)")
      ]
    case .languages(let languages):
      let spoken = languages.flatMap { AC4PresentationChoice.spoken($0, facts) }
      var known: [String] = []
      for language in facts.presentations.flatMap(\.languages) where !known.contains(language) {
        known.append(language)
      }
      let asked = "\(setting: .presentation) asks for \(languages.joined(separator: " or "))"
      let present = known.isEmpty ? "none" : known.joined(separator: ", ")
      candidates =
        spoken + [
          Candidate(
            index: nil,
            reason: "\(asked), which none that can be decoded has (stated: \(present)); \(usual)")
        ]
    }
  }

  /// Result of `make` for the first candidate that is supported, and why that is taken.
  /// - Throws: ``AC4Error`` of the last candidate, or where one is damaged.
  func first<Result>(
    _ make: (Int?) throws(AC4Error) -> Result
  ) throws(AC4Error) -> (Result, String) {
    var failure = AC4Error.unsupported("stream without presentations")
    for candidate in candidates {
      do throws(AC4Error) {
        return (try make(candidate.index), candidate.reason)
      } catch {
        guard error.isUnsupported else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// The index of the presentation with the id `number`, else `number` itself.
  private static func numbered(
    _ number: Int, _ facts: AC4FrameFacts, _ path: String
  ) throws -> Int {
    if let match = facts.presentations.first(where: { $0.presentation.id == number }) {
      return match.index
    }
    guard facts.presentations.contains(where: { $0.index == number }) else {
      throw MediaError(
        .usage,
        "\(setting: .presentation) \(number): \(path) has presentations 0 to \(facts.presentations.count - 1); "
          + "see pinna probe")
    }
    return number
  }

  /// Presentations that may be selected and have a group in this language.
  private static func spoken(_ language: String, _ facts: AC4FrameFacts) -> [Candidate] {
    let selectable = facts.toc.selectablePresentations
    return facts.presentations.filter { presentation in
      selectable.contains(presentation.index)
        && presentation.languages.contains { LanguageCodes.serves($0, language) }
    }.map { Candidate(index: $0.index, reason: "it has the language \(language)") }
  }
}
