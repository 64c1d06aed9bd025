// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import TrueHD

/// The beginning of a TrueHD or MLP track: its presentations, and the one that is decoded.
struct TrueHDBeginning {
  let stream: TrueHDStream
  /// The presentation that is decoded.
  let programme: TrueHDProgramme
  /// The mix to two channels, which is the quickest to decode; `nil` where its channels aren't known.
  let programmeOfTwo: TrueHDProgramme?
  /// Why this presentation is decoded.
  let reason: String
  /// Why objects that are wanted aren't decoded; `nil` where they are, and where there are none.
  let obstacle: String?
  /// Whether the presentation of two channels has two; encoders have put others there.
  private let isStereo: Bool

  /// Looks at the first units of `stream` with a second reader of the file.
  /// - Throws: ``MediaError`` of kind `damaged` without a unit to begin with, of kind `unsupportedCodec` for a stream that can't
  ///   be decoded, of kind `usage` for a presentation that isn't there.
  init(_ track: StreamInfo, of media: MediaFile, _ options: InputOptions) throws {
    let path = media.file.path
    let units = try TrueHDUnits(
      track, of: MediaFile(file: media.file, options: options), isSizeUnknown: true)
    var survey = TrueHDSurvey()
    reading: while !survey.isComplete {
      switch try units.advance() {
      case .unit:
        do { try units.withUnit { try survey.take($0) } } catch {
          throw MediaError(.unsupportedCodec, about: path, "\(error)")
        }
      case .skipped, .damage: continue
      case .rest, .end: break reading
      }
    }
    guard let stream = survey.stream else {
      throw MediaError(
        .damaged, about: path, "its track has no unit that decoding can begin with")
    }
    self.stream = stream
    programmeOfTwo = survey.programme(presentation: 0)
    isStereo = survey.channels(0) == 2
    let wanted: TrueHDStream.Preference = options.asksForChannels ? .bed : .objects
    let (found, reason) = try TrueHDBeginning.choose(survey, stream, wanted, options, path)
    guard let found else {
      throw MediaError(.damaged, about: path, "none of the first units of its track can be decoded")
    }
    (programme, self.reason) = (found, reason)
    obstacle =
      TrueHDBeginning.holdsObjects(stream) && wanted == .objects && options.presentation == nil
        && found.dynamicObjects == 0
      ? survey.failure?.description ?? "no metadata that fit them come with the first units" : nil
  }

  /// Whether presentation 3 needs metadata of objects, by its own description; there may be none.
  private static func holdsObjects(_ stream: TrueHDStream) -> Bool {
    stream.sync.masks[3] != 0 && stream.sync.extra?.needsMetadata == true
  }

  private static func choose(
    _ survey: TrueHDSurvey, _ stream: TrueHDStream, _ wanted: TrueHDStream.Preference,
    _ options: InputOptions, _ path: String
  ) throws -> (TrueHDProgramme?, String) {
    switch options.presentation {
    case .number(let number):
      let known = stream.presentations.map(\.index)
      guard known.contains(number) else {
        throw MediaError(
          .usage,
          "\(setting: .presentation) \(number): \(path) has the presentations \(known.map(String.init).joined(separator: ", ")); see pinna probe"
        )
      }
      guard number == 3, holdsObjects(stream) else {
        return (survey.programme(presentation: number), "asked for by \(setting: .presentation)")
      }
      guard wanted == .objects else {
        throw MediaError(
          .usage,
          "\(setting: .presentation) 3: holds objects, and the track's channels are asked for; leave one of both out"
        )
      }
      let programme = survey.programme(.objects)
      guard programme?.presentation == 3 else {
        throw MediaError(
          .unsupportedFeature, about: path,
          "the objects of presentation 3 can't be decoded: "
            + (survey.failure?.description ?? "no metadata that fit them come with the first units")
            + "; leave \(setting: .presentation) out for the largest mix to channels")
      }
      return (programme, "asked for by \(setting: .presentation)")
    case .languages:
      throw MediaError(
        .usage,
        "\(setting: .presentation): presentations of TrueHD have no languages; give a number, see pinna probe"
      )
    case nil:
      let programme = survey.programme(wanted)
      let isThird = programme?.presentation == 3
      return (
        programme,
        isThird
          ? (programme?.dynamicObjects ?? 0 > 0
            ? "it has the objects" : "it has the most loudspeakers")
          : wanted == .bed && holdsObjects(stream)
            ? "the track's channels are asked for" : "it has the most channels"
      )
    }
  }

  /// Whether a presentation is a mix that the stream calls one for headphones (2ch_modifier).
  private func isForHeadphones(_ presentation: Int) -> Bool {
    presentation == 0 && isStereo && stream.sync.modifiers[0] == 2
  }

  /// Layout of the bed; `nil` for objects alone.
  private var bed: ChannelLayout? {
    if case .bed(let layout)? = programme.elements.first { return layout }
    return nil
  }

  /// Facts about the objects that are decoded; `nil` for channels alone.
  var objectCoding: ObjectCodingFacts? {
    guard programme.dynamicObjects > 0 else { return nil }
    return ObjectCodingFacts(
      complexity: nil, bed: bed, objects: programme.dynamicObjects,
      downmix: "\(programme.planes.count) channels of TrueHD", updatesPerSecond: nil)
  }

  /// The presentations for people.
  var facts: [PresentationFacts] {
    stream.presentations.map {
      PresentationFacts($0, of: stream, isForHeadphones: isForHeadphones($0.index))
    }
  }

  /// The programme for renderers, with the facts that the stream states.
  func decoded(language: String?) -> Programme {
    let level = stream.presentations.first { $0.index == programme.presentation }?.dialogueNorm
    var facts = ProgrammeFacts(
      // 0 stands for no statement.
      dialnorm: level.flatMap { $0 > 0 ? -Double($0) : nil }, language: language,
      objects: TrueHDBeginning.holdsObjects(stream) ? .yes : .no)
    if isForHeadphones(programme.presentation) { facts.virtualization = .binaural }
    if obstacle != nil {
      facts.undecoded = ProgrammeFacts.Undecoded(
        coding: "TrueHD with Dolby Atmos", objects: stream.objects,
        channels: stream.presentations.last?.channels)
    }
    return Programme(
      sampleRate: stream.sampleRate, elements: programme.elements, facts: facts)
  }

  /// Reports the presentation, and whether objects are rendered.
  func note(_ log: DiagnosticLog) {
    log.decide(
      .presentation, "\(programme.presentation)",
      why: "\(reason); the stream has \(stream.presentations.count)")
    guard TrueHDBeginning.holdsObjects(stream) else { return }
    if let coding = objectCoding {
      log.decide(
        .objects, "rendered",
        why:
          "the presentation of \(programme.planes.count) channels (TrueHD) holds \(coding.objects) objects"
          + (coding.bed.map { " and a bed of \($0)" } ?? ""))
    } else {
      log.decide(
        .objects, "left aside", why: obstacle ?? "the track's channels are asked for")
    }
  }
}

extension PresentationFacts {
  /// A presentation of TrueHD.
  init(
    _ presentation: TrueHDStream.Presentation, of stream: TrueHDStream, isForHeadphones: Bool
  ) {
    let isObjects = presentation.index == 3 && stream.sync.extra?.needsMetadata == true
    let known = presentation.speakers.compactMap { $0 }
    let layout = known.count == presentation.channels ? ChannelLayout(known).name : nil
    self.init(
      index: presentation.index,
      channels: isObjects ? nil : layout ?? presentation.channels.map { "\($0) channels" },
      isImmersiveStereo: isForHeadphones,
      hasObjects: isObjects, frameRate: Double(stream.sampleRate) / Double(stream.unitLength),
      dialnorm: presentation.dialogueNorm.flatMap { $0 > 0 ? -Double($0) : nil },
      hasDynamicRange: stream.sync.meaning?.startGain ?? 0 != 0)
  }
}
