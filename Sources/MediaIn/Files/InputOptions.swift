// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Signal

/// How an input is opened and decoded.
public struct InputOptions: Sendable, Hashable, Codable {
  /// Audio track that is read.
  public var track = TrackChoice.automatic
  /// Loudspeakers of the track's channels in the order in which they lie there, instead of what the file says (`--layout-in`); as
  /// many as the track has channels. `nil` believes the file.
  public var order: ChannelOrder?
  /// The layout of ``order``; one that is given stands for its channels in mask order.
  public var layout: ChannelLayout? {
    get { order?.layout }
    set { order = newValue.map(ChannelOrder.init) }
  }
  /// Sound field that the track's channels are (`--layout-in ambix3`); it must have as many channels as the
  /// track. `nil` believes the file. Never together with ``layout``.
  public var field: FieldInput?
  /// Dynamic range control.
  public var dynamicRange = DynamicRange.off
  /// Presentation of AC-4 or mix of IAMF that is played; `nil` takes the first presentation that can be decoded, or
  /// the first mix that states its loudness for the most loudspeakers.
  public var presentation: PresentationChoice?
  /// Gain of dialogue in AC-4, dB, 0…12.
  public var dialogueGain = 0.0
  /// Gain of dialogue in dB where the codec itself can change it, as AC-4 can; ignored elsewhere.
  package var dialogueLift: Double?

  /// Gain that an AC-4 decoder is asked for, dB; it can't lower dialogue.
  var decodedDialogueGain: Double { max(dialogueGain, min(12, dialogueLift ?? 0)) }
  /// Treatment of audio objects.
  public var objects = ObjectOptions()
  /// Treatment of damaged packets.
  public var damage = DamagePolicy.fail
  /// Limits on what the input may open.
  public var bounds = InputBounds()
  /// Further options for libavformat's demuxer, by name.
  public var demuxerOptions: [String: String] = [:]

  /// Refuses numbers out of their ranges.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check() throws {
    try Setting.dialogueGain.check(dialogueGain, shownAs: Decibels.text(dialogueGain))
    try Setting.networkTimeout.check(bounds.networkTimeout, shownAs: "\(bounds.networkTimeout)")
    if let importance = objects.importance {
      try Setting.importance.check(Double(importance), shownAs: "\(importance)")
    }
  }

  /// Layout that the input is played on, which the outputs of a job decide; no part of a request.
  package var playback = PlaybackLayout.all

  /// Whether it must be known to which loudspeakers the channels belong, which the outputs of a job decide; no part of a
  /// request.
  package var needsPlaces = true

  private enum CodingKeys: String, CodingKey {
    case order = "layout"
    case track, field, dynamicRange, presentation, dialogueGain, objects, damage,
      bounds
    case demuxerOptions
  }

  /// Whether the channels are to be read as they are named here or by the header, whatever objects a file
  /// describes.
  var asksForChannels: Bool { objects.use == .bed || order != nil || field != nil }

  /// Options with their defaults.
  public init() {}
}

/// The audio track that the user wants (`--audio`).
public enum TrackChoice: Sendable, Hashable, Codable {
  /// The track marked as default, else the first that is no commentary or dub, else the first.
  case automatic
  /// The n-th audio track, counted from 0.
  case index(Int)
  /// A track in the first of these languages (ISO 639 codes) that the file has. A render into a container of several tracks takes one in
  /// each of them.
  case languages([String])
  /// These audio tracks, counted from 0; only a render into a container of several tracks takes more than one.
  case several([Int])
  /// All audio tracks, with the same bound.
  case all

  /// Parses `default`, `all`, indices from 0 such as `0,2`, or `lang:` with language codes, e.g. `lang:en,de`.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
  public init(_ text: String) throws {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
    if text == "default" {
      self = .automatic
    } else if text == "all" {
      self = .all
    } else if let index = numbers.first ?? nil, numbers.count == 1 {
      self = .index(index)
    } else if !numbers.contains(nil), Set(numbers).count == numbers.count {
      self = .several(numbers.compactMap { $0 })
    } else if let languages = LanguageCodes.list(text) {
      self = .languages(languages)
    } else {
      throw MediaError(
        .usage,
        "\(setting: .track) \(text): not a track; give an index from 0, indices such as 0,2, lang:en[,de], all or default"
      )
    }
  }

  /// Whether it may stand for more than one track.
  package var namesSeveral: Bool {
    switch self {
    case .all, .several: return true
    case .languages(let codes): return codes.count > 1
    case .automatic, .index: return false
    }
  }

  /// The audio tracks among `streams` that it stands for, counted from 0, in the order in which it names them.
  /// - Throws: ``MediaError`` of kind `noAudio` or `usage`.
  package func numbers(among streams: [StreamInfo], path: String) throws -> [Int] {
    let tracks = streams.filter { $0.kind == .audio }
    switch self {
    case .all where !tracks.isEmpty: return Array(tracks.indices)
    case .several(let numbers):
      for number in numbers {
        _ = try TrackChoice.index(number).pick(from: streams, path: path, log: DiagnosticLog())
      }
      return numbers
    case .languages(let codes):
      let found = codes.compactMap { code in
        try? TrackChoice.languages([code]).pick(from: streams, path: path, log: DiagnosticLog())
      }
      if found.isEmpty { _ = try pick(from: streams, path: path, log: DiagnosticLog()) }
      let numbers = found.compactMap { stream in tracks.firstIndex { $0.index == stream.index } }
      return numbers.enumerated().filter { numbers.firstIndex(of: $0.element) == $0.offset }
        .map(\.element)
    case .automatic, .index, .all:
      let picked = try pick(from: streams, path: path, log: DiagnosticLog())
      return tracks.indices.filter { tracks[$0].index == picked.index }
    }
  }

  /// Picks one of `streams` and records the reason.
  /// - Throws: ``MediaError`` of kind `noAudio` or `usage`.
  package func pick(from streams: [StreamInfo], path: String, log: DiagnosticLog) throws
    -> StreamInfo
  {
    let tracks = streams.filter { $0.kind == .audio }
    guard let first = tracks.first else {
      throw MediaError(.noAudio, about: path, "has no audio track; give a file with sound")
    }
    let chosen: StreamInfo
    let reason: String
    switch self {
    case .index(let index):
      guard tracks.indices.contains(index) else {
        throw MediaError(
          .usage, about: path,
          "has no audio track \(index); it has "
            + (tracks.count == 1 ? "only track 0" : "0 to \(tracks.count - 1)")
            + ", see pinna probe")
      }
      (chosen, reason) = (tracks[index], "asked for by \(setting: .track) \(index)")
    case .languages(let wanted):
      (chosen, reason) = try TrackChoice.byLanguage(wanted, tracks, path)
    case .automatic:
      (chosen, reason) = TrackChoice.automatic(tracks, first)
    case .all, .several:
      guard tracks.count == 1 || self != .all else { throw TrackChoice.severalRefused(path) }
      guard case .several(let numbers) = self else { return first }
      guard numbers.count == 1 else { throw TrackChoice.severalRefused(path) }
      return try TrackChoice.index(numbers[0]).pick(from: streams, path: path, log: log)
    }
    log.decide(.track, "stream \(chosen.index) (\(chosen.codec))", why: reason)
    return chosen
  }

  /// The refusal of several tracks where one is played or written.
  package static func severalRefused(_ path: String) -> MediaError {
    MediaError(
      .usage, about: path,
      "several audio tracks are chosen, but one is taken here; give one as \(setting: .track), or render into Matroska, MP4 or HLS, or a file each into a folder"
    )
  }

  private static func byLanguage(
    _ wanted: [String], _ tracks: [StreamInfo], _ path: String
  ) throws -> (StreamInfo, String) {
    for language in wanted {
      let matches = LanguageCodes.best(tracks, for: language, by: \.language)
      let plain = matches.first { $0.dispositions.isEmpty }
      if let match = matches.first(where: \.isDefault) ?? plain ?? matches.first {
        return (match, "language \(language)")
      }
    }
    let present = tracks.map { $0.language ?? "und" }
    let isStated = present.contains { $0 != "und" }
    throw MediaError(
      .usage, about: path,
      "has no audio in \(wanted.joined(separator: " or ")); "
        + (isStated
          ? "its tracks are \(present.joined(separator: ", "))"
          : "no track states a language, so choose by number, see pinna probe"))
  }

  private static func automatic(_ tracks: [StreamInfo], _ first: StreamInfo) -> (
    StreamInfo, String
  ) {
    if tracks.count == 1 { return (first, "only audio track") }
    if let marked = tracks.first(where: \.isDefault) { return (marked, "default disposition") }
    if let plain = tracks.first(where: { $0.dispositions.isEmpty }), plain.index != first.index {
      return (plain, "first audio track that is no commentary or dub; none is marked default")
    }
    return (first, "first of \(tracks.count) audio tracks; none is marked default")
  }
}

/// The presentation of AC-4 or mix of IAMF that is played (`--presentation`).
public enum PresentationChoice: Sendable, Hashable, Codable {
  /// The one with this id; in AC-4 else the one with this index from 0.
  case number(Int)
  /// One in the first of these languages (ISO 639 codes) that can be played; where there is none, the usual one.
  case languages([String])

  /// Parses a number or `lang:` with language codes, e.g. `lang:en,de`.
  /// - Throws: ``MediaError`` of kind `usage` for any other text.
  public init(_ text: String) throws {
    if let number = Int(text), number >= 0 {
      self = .number(number)
    } else if let languages = LanguageCodes.list(text) {
      self = .languages(languages)
    } else {
      throw MediaError(
        .usage,
        "\(setting: .presentation) \(text): not a presentation; give its id, see pinna probe, or "
          + "lang:en[,de]")
    }
  }
}

/// The treatment of a file's audio objects.
public struct ObjectOptions: Sendable, Hashable, Codable {
  /// Whether objects are rendered.
  public enum Use: String, Sendable, Hashable, Codable, CaseIterable {
    /// If there are some.
    case automatic = "auto"
    /// Never: the channels are played as the file's header names them.
    case bed
    /// A file without objects is refused.
    case render
  }

  /// Whether the mixer's wishes for headphones are followed.
  public enum HeadphoneModes: String, Sendable, Hashable, Codable, CaseIterable {
    /// An object marked "off" isn't virtualised; "near" and "far" say how much of a room is heard.
    case follow
    /// Everything is virtualised, and the room treats all objects alike.
    case ignore
  }

  /// Whether they are rendered.
  public var use = Use.automatic
  /// Identifier, name or language of the programme to play; `nil` for the only one, or the one of the
  /// lowest identifier.
  public var programme: String?
  /// Identifiers of objects that are played instead of the ones that they complement.
  public var complements: [String] = []
  /// Objects and blocks that are less important than this, 0…10, aren't heard; `nil` hears all.
  public var importance: Int?
  /// Objects that sound, by identifier, kind of content or name; empty for all.
  public var only: [String] = []
  /// Changes to objects, within what the file allows.
  public var changes: [ObjectChange] = []
  /// Whether the mixer's wishes for headphones are followed.
  public var headphoneModes = HeadphoneModes.follow

  /// Whether some objects are chosen, which means something only where objects are rendered.
  var choosesObjects: Bool {
    programme != nil || !complements.isEmpty || importance != nil || !only.isEmpty
      || !changes.isEmpty
  }

  /// Options with their defaults.
  public init() {}
}

/// The loudspeakers that an input is played on, for formats that hold mixes of their own for some.
package enum PlaybackLayout: Sendable, Hashable {
  /// All channels are needed, for headphones or to be kept.
  case all
  /// Only loudspeakers of this layout; `followsFile` where the file's own downmix is asked for.
  case only(ChannelLayout, followsFile: Bool)
  /// Several layouts, all of which one decode has to serve.
  case several
}

/// The dynamic range control gains of AC-3 and E-AC-3 that a decoder applies (ETSI TS 102 366, 6.7).
public enum DynamicRange: String, Sendable, CaseIterable, Codable {
  /// None.
  case off
  /// Line mode: the `dynrng` gains.
  case line
  /// RF mode: the `compr` gains.
  case rf

  /// Options of libavcodec's ac3 and eac3 decoders.
  var decoderOptions: [String: String] {
    switch self {
    case .off: return ["drc_scale": "0"]
    case .line: return ["drc_scale": "1"]
    case .rf: return ["drc_scale": "1", "heavy_compr": "1"]
    }
  }
}

/// Languages that somebody asks for, by codes of ISO 639 or tags of BCP 47: `en` finds `eng` and `en-GB`.
package enum LanguageCodes {
  /// Entries whose language serves who asks for `wanted`: that very tag before one that leaves region and script open.
  static func best<Entry>(
    _ entries: [Entry], for wanted: String, by language: (Entry) -> String?
  ) -> [Entry] {
    let serving = entries.filter { serves(language($0) ?? "und", wanted) }
    let exact = serving.filter { parts(language($0) ?? "und").count >= parts(wanted).count }
    return exact.isEmpty ? serving : exact
  }

  /// Whether sound in `language` serves who asks for `wanted`: in the same language, and in no other script or region than
  /// wanted. A script or region that either leaves out is open (RFC 4647, 3.3.2).
  package static func serves(_ language: String, _ wanted: String) -> Bool {
    let (own, asked) = (parts(language), parts(wanted))
    return own[0] == asked[0]
      && [isScript, isRegion].allSatisfy { isKind in
        let (one, other) = (
          own.dropFirst().first(where: isKind), asked.dropFirst().first(where: isKind)
        )
        return one == nil || other == nil || one == other
      }
  }

  /// Whether a part of a tag is a script, which has four letters (RFC 5646, 2.2.3).
  private static func isScript(_ part: String) -> Bool {
    part.utf8.count == 4 && part.allSatisfy(\.isLetter)
  }

  /// Whether a part of a tag is a region: two letters or three digits (RFC 5646, 2.2.4).
  private static func isRegion(_ part: String) -> Bool {
    part.utf8.count == 2 && part.allSatisfy(\.isLetter)
      || part.utf8.count == 3 && part.allSatisfy(\.isNumber)
  }

  /// The codes behind `lang:`, e.g. of `lang:en,de`; `nil` for any other text.
  static func list(_ text: String) -> [String]? {
    guard text.hasPrefix("lang:") else { return nil }
    let codes = text.dropFirst(5).split(separator: ",").map(String.init)
    return codes.isEmpty ? nil : codes
  }

  /// The language in its shortest code, and then script and region; one empty text for an empty tag.
  private static func parts(_ tag: String) -> [String] {
    let text = (LanguageTag(tag)?.text ?? tag).lowercased()
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    return parts.isEmpty ? [""] : parts
  }
}
