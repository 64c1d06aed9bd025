// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A track as the header describes it (RFC 9559, 5.1.4.1).
package struct MatroskaTrackEntry: Sendable, Equatable {
  /// The content of a track (RFC 9559, 5.1.4.1.3).
  package enum Kind: UInt64, Sendable {
    case video = 1
    case audio = 2
    case complex = 3
    case logo = 16
    case subtitle = 17
    case buttons = 18
    case control = 32
    case metadata = 33
    /// A type that no standard lists; it is only read.
    case unknown = 0
  }

  /// Purposes of a track, apart from the default (RFC 9559, 18).
  package struct Roles: OptionSet, Sendable {
    package let rawValue: Int
    /// Texts that are shown though nobody asked for them.
    package static let forced = Roles(rawValue: 1)
    package static let hearingImpaired = Roles(rawValue: 2)
    package static let visualImpaired = Roles(rawValue: 4)
    /// Texts that describe pictures, for a voice to read out.
    package static let textDescriptions = Roles(rawValue: 8)
    /// The language of the content's making.
    package static let original = Roles(rawValue: 16)
    package static let commentary = Roles(rawValue: 32)

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let fields: [(EBMLID, Roles)] = [
      (.flagForced, .forced), (.flagHearingImpaired, .hearingImpaired),
      (.flagVisualImpaired, .visualImpaired), (.flagTextDescriptions, .textDescriptions),
      (.flagOriginal, .original), (.flagCommentary, .commentary),
    ]
  }

  /// The format of sound (RFC 9559, 5.1.4.1.29).
  package struct Sound: Sendable, Equatable {
    /// Hz.
    package var rate: Double
    /// Hz after spectral band replication; `nil` where it is the same.
    package var outputRate: Double?
    package var channels: Int
    /// Bits of a sample of a lossless codec; `nil` where it isn't stated.
    package var bitDepth: Int?

    package init(rate: Double, channels: Int, bitDepth: Int? = nil, outputRate: Double? = nil) {
      self.rate = rate
      self.channels = channels
      self.bitDepth = bitDepth
      self.outputRate = outputRate
    }
  }

  /// The number that blocks refer to, from 1.
  package var number: Int
  /// The number that tags refer to, from 1; copied tracks keep it.
  package var uid: UInt64
  package var kind: Kind
  package var codecID: String
  package var codecPrivate: [UInt8]?
  /// Whether players take it where the user chose none.
  package var isDefault = true
  package var roles: Roles = []
  /// Time that each frame lasts; `nil` where that varies.
  package var defaultDuration: MediaTime?
  /// Time by which blocks are earlier presented than they state; of an encoder, its start-up samples (RFC 9559, 5.1.4.1.25).
  package var codecDelay = MediaTime(ticks: 0, rate: 1)
  /// Time to be decoded in front of a place that is sought; zero is left out.
  package var seekPreRoll = MediaTime(ticks: 0, rate: 1)
  /// Code of ISO 639-2/B; `und` for an unknown language.
  package var language = "und"
  /// Tag of BCP 47, which counts in place of the code.
  package var languageBCP47: String?
  package var name: String?
  package var sound: Sound?
  package var video: MatroskaVideo?
  /// Whole BlockAdditionMapping elements, as of Dolby Vision.
  package var additionMappings: [[UInt8]] = []
  /// The greatest number of an addition to its blocks; 0 where they have none.
  package var maxAdditionID = 0
  /// How frames are stored; empty for plain ones. An entry of one's own has none.
  package private(set) var contentEncodings: [MatroskaContentEncoding] = []
  /// The children of an entry that was read. They are written in place of all values but ``number`` and ``isDefault``; `nil`
  /// writes the values.
  package var verbatim: [UInt8]?

  /// A track of an unknown language; `uid` is its number where none is given.
  package init(number: Int, kind: Kind, codecID: String, uid: UInt64? = nil) {
    self.number = number
    self.uid = uid ?? UInt64(max(1, number))
    self.kind = kind
    self.codecID = codecID
  }

  /// The code of ISO 639-2/B for a language; `und` where there is none. Twenty languages have another code there than in
  /// ISO 639-2/T.
  package static func bibliographic(_ tag: LanguageTag?) -> String {
    guard let code = tag?.terminological else { return "und" }
    let others = [
      "sqi": "alb", "hye": "arm", "eus": "baq", "mya": "bur", "zho": "chi", "ces": "cze",
      "nld": "dut", "fra": "fre", "kat": "geo", "deu": "ger", "ell": "gre", "isl": "ice",
      "mkd": "mac", "mri": "mao", "msa": "may", "fas": "per", "ron": "rum", "slk": "slo",
      "bod": "tib", "cym": "wel",
    ]
    return others[code] ?? code
  }
}

extension MatroskaTrackEntry {
  /// The entry whose content `body` is, with that as ``verbatim``; `nil` without number, type or codec.
  init?(body: ArraySlice<UInt8>) {
    let fields = EBMLElement.all(in: body)
    guard let number = fields[.trackNumber]?.unsigned.flatMap({ Int(exactly: $0) }), number > 0,
      let type = fields[.trackType]?.unsigned, let codec = fields[.codecID]?.text
    else { return nil }
    self.init(
      number: number, kind: Kind(rawValue: type) ?? .unknown, codecID: codec,
      uid: fields[.trackUID]?.unsigned)
    func time(_ id: EBMLID) -> MediaTime? { fields[id]?.integer.map { .nanoseconds($0) } }
    codecPrivate = fields[.codecPrivate].map { Array($0.body) }
    isDefault = fields.isSet(.flagDefault, missing: true)
    for (id, role) in Roles.fields where fields.isSet(id) { roles.insert(role) }
    defaultDuration = time(.defaultDuration).flatMap { $0.ticks > 0 ? $0 : nil }
    codecDelay = time(.codecDelay) ?? codecDelay
    seekPreRoll = time(.seekPreRoll) ?? seekPreRoll
    // English is what an entry without the element means (RFC 9559, 5.1.4.1.19).
    language = fields[.language]?.text ?? "eng"
    languageBCP47 = fields[.languageBCP47]?.text
    name = fields[.name]?.text
    sound = fields[.audio].map { Sound($0.children) }
    video = fields[.video].map { MatroskaVideo($0.children) }
    additionMappings = fields.all(.blockAdditionMapping).map { Array($0.bytes) }
    maxAdditionID = Int(fields[.maxBlockAdditionID]?.integer ?? 0)
    contentEncodings = MatroskaContentEncoding.all(fields[.contentEncodings]?.children ?? [])
    codecPrivate = codecPrivate.map {
      MatroskaContentEncoding.restored($0, by: contentEncodings, of: .codecPrivate).bytes
    }
    verbatim = Array(body)
  }

  /// Takes the name away.
  package mutating func removeName() {
    name = nil
    verbatim = verbatim.map { children in
      EBMLElement.all(in: children[...]).filter { $0.known != .name }.flatMap(\.bytes)
    }
  }

  /// Changes the number that tags refer to.
  package mutating func setUID(_ number: UInt64) {
    uid = number
    verbatim = verbatim.map { children in
      var builder = EBMLBuilder()
      builder.unsigned(.trackUID, number)
      return builder.bytes
        + EBMLElement.all(in: children[...]).filter { $0.known != .trackUID }.flatMap(\.bytes)
    }
  }

  func append(to builder: inout EBMLBuilder) {
    builder.master(.trackEntry) {
      $0.unsigned(.trackNumber, number)
      if let verbatim { appendVerbatim(verbatim, to: &$0) } else { appendValues(to: &$0) }
    }
  }

  private func appendValues(to builder: inout EBMLBuilder) {
    builder.unsigned(.trackUID, uid)
    builder.unsigned(.trackType, kind.rawValue)
    builder.unsigned(.flagLacing, 0)
    builder.unsigned(.flagDefault, isDefault ? 1 : 0)
    for (id, role) in Roles.fields where roles.contains(role) { builder.unsigned(id, 1) }
    builder.unsigned(.defaultDuration, ifAny: defaultDuration?.nanoseconds)
    builder.text(.name, ifAny: name)
    builder.text(.language, language)
    builder.text(.languageBCP47, ifAny: languageBCP47)
    builder.text(.codecID, codecID)
    if let codecPrivate { builder.binary(.codecPrivate, codecPrivate) }
    if codecDelay.ticks > 0 { builder.unsigned(.codecDelay, codecDelay.nanoseconds) }
    if seekPreRoll.ticks > 0 { builder.unsigned(.seekPreRoll, seekPreRoll.nanoseconds) }
    if maxAdditionID > 0 { builder.unsigned(.maxBlockAdditionID, maxAdditionID) }
    sound?.append(to: &builder)
    video?.append(to: &builder)
    for mapping in additionMappings { builder.append(mapping) }
  }

  private func appendVerbatim(_ children: [UInt8], to builder: inout EBMLBuilder) {
    var hasFlag = false
    // Void and a checksum of the old content aren't among the elements that are gone through.
    for child in EBMLElement.all(in: children[...]) where child.known != .trackNumber {
      guard child.known == .flagDefault else {
        builder.append(child.bytes)
        continue
      }
      if !hasFlag { builder.unsigned(.flagDefault, isDefault ? 1 : 0) }
      hasFlag = true
    }
    if !hasFlag { builder.unsigned(.flagDefault, isDefault ? 1 : 0) }
  }
}

extension MatroskaTrackEntry.Sound {
  fileprivate init(_ fields: [EBMLElement]) {
    rate = fields[.samplingFrequency]?.float ?? 8000
    outputRate = fields[.outputSamplingFrequency]?.float
    channels = Int(fields[.channels]?.integer ?? 1)
    bitDepth = fields[.bitDepth]?.integer.map { Int($0) }
  }

  fileprivate func append(to builder: inout EBMLBuilder) {
    builder.master(.audio) {
      $0.float(.samplingFrequency, rate)
      $0.float(.outputSamplingFrequency, ifAny: outputRate)
      $0.unsigned(.channels, channels)
      $0.unsigned(.bitDepth, ifAny: bitDepth)
    }
  }
}
