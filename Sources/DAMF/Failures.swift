// SPDX-License-Identifier: Apache-2.0
import AudioCore
import YAML

/// A place in a set of master files.
package struct DAMFPlace: Sendable, Equatable, CustomStringConvertible {
  /// Name of the file, without its folder.
  package var file: String
  /// Line, from 1; `nil` for the file as a whole.
  package var line: Int?
  /// Keys that lead to the value, e.g. `events.pos`; empty for none.
  package var keys: String

  /// A place.
  package init(_ file: String, line: Int? = nil, keys: String = "") {
    (self.file, self.line, self.keys) = (file, line, keys)
  }

  /// File, line and keys in one phrase.
  package var description: String {
    file + (line.map { ", line \($0)" } ?? "") + (keys.isEmpty ? "" : " (\(keys))")
  }
}

/// A reason to refuse a set of master files.
package struct DAMFError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a fault, by a stable word.
  package enum Code: String, Sendable, CaseIterable {
    /// Neither the named file of the sound nor one beside the root is there.
    case audioMissing = "damf.audio.missing"
    /// Neither the named file of the events nor one beside the root is there.
    case metadataMissing = "damf.metadata.missing"
    /// The file ends before the sound that it states.
    case audioShort = "damf.audio.short"
    /// The sound has more or fewer channels than the root declares.
    case audioChannels = "damf.audio.channels"
    /// The sound isn't plain PCM in a CAF file.
    case audioFormat = "damf.audio.format"
    /// A text isn't valid YAML.
    case syntax = "damf.yaml.syntax"
    /// A text has an anchor, an alias or a tag.
    case alias = "damf.yaml.alias"
    /// A text isn't UTF-8.
    case encoding = "damf.text.encoding"
    /// A count or length is above what is accepted.
    case limit = "damf.limit"
    /// A number can't be read, isn't finite or is out of all reason.
    case number = "damf.value.number"
    /// A value isn't of the form that its key demands.
    case form = "damf.value.form"
    /// A key without which nothing can be rendered isn't there.
    case missingKey = "damf.key.missing"
    /// A time or length is negative.
    case negativeTime = "damf.time.negative"
    /// Two channels have the same ID.
    case duplicateID = "damf.id.duplicate"
    /// The first event has no ID.
    case missingID = "damf.id.missing"
    /// A bed channel has a label that isn't known.
    case label = "damf.bed.label"
    /// The root has no presentation, or more than one.
    case presentations = "damf.presentations"
    /// Events and sound state different rates.
    case rateMismatch = "damf.rate.mismatch"
    /// A name leads out of the root's folder.
    case namePath = "damf.name.path"
    /// The root states a cipher.
    case encrypted = "damf.encrypted"
  }

  /// Kind of the fault.
  package let code: Code
  /// Fault and remedy, without the place.
  package let message: String
  /// Place of the fault.
  package let place: DAMFPlace

  /// A refusal with its sentence.
  package init(_ code: Code, _ message: String, at place: DAMFPlace) {
    (self.code, self.message, self.place) = (code, message, place)
  }

  /// The refusal of a file's YAML.
  init(_ fault: YAMLFault, in file: String) {
    let code: Code =
      switch fault.kind {
      case .syntax, .repeatedKey: .syntax
      case .alias: .alias
      case .limit: .limit
      }
    self.init(code, "the file " + fault.problem, at: DAMFPlace(file, line: fault.line))
  }

  /// Place and message in one line.
  package var description: String { "\(place): \(message)" }

  /// The failure that a run about the file at `path` ends with.
  package func mediaError(about path: String) -> MediaError {
    MediaError(kind, about: path, description, cause: self)
  }

  private var kind: MediaError.Kind {
    switch code {
    case .encrypted: .encrypted
    case .audioMissing, .metadataMissing: .inputMissing
    case .limit, .presentations, .label: .unsupportedFeature
    case .audioFormat: .unsupportedCodec
    default: .damaged
    }
  }
}

/// Something that was repaired, passed over or taken leniently in a set, with how often it occurred.
package struct DAMFFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kind of a finding, by a stable word.
  package enum Code: String, Sendable, CaseIterable {
    /// The root names a file that isn't there; the one beside the root is used.
    case staleName = "damf.name.stale"
    /// A key stands more than once; the last one holds.
    case duplicateKey = "damf.yaml.duplicate"
    /// A key isn't known.
    case unknownKey = "damf.key.unknown"
    /// The version isn't known.
    case unknownVersion = "damf.version"
    /// A mode isn't known and taken as not stated.
    case unknownMode = "damf.value.mode"
    /// Zones aren't known and taken as all.
    case unknownZones = "damf.value.zones"
    /// A number has a comma for its point.
    case comma = "damf.value.comma"
    /// A value was moved into its range.
    case range = "damf.value.range"
    /// Events of a channel weren't in the order of their times, and were sorted.
    case order = "damf.time.order"
    /// The first event of a channel comes late; its state is held from the beginning.
    case late = "damf.time.late"
    /// Events lie at or behind the end of the sound and aren't used.
    case behindEnd = "damf.time.end"
    /// Events of an ID that the root doesn't declare aren't used.
    case unknownID = "damf.id.unknown"
    /// The order of the sound's channels is doubtful, because IDs don't ascend.
    case channelOrder = "damf.id.order"
    /// An object has no place, and is put at the front.
    case noPlace = "damf.object.place"
    /// A rate is neither 48 nor 96 kHz.
    case unusualRate = "damf.rate.unusual"
    /// The sound ends within a frame, which isn't used.
    case cutFrame = "damf.audio.cut"
    /// A property has no effect on what is rendered.
    case notUsed = "damf.ignored"
  }

  /// Kind of the finding.
  package let code: Code
  /// One sentence about the first case, with its place.
  package let message: String
  /// Number of cases, at least 1.
  package internal(set) var count: Int

  /// Code, sentence and count in one line.
  package var description: String {
    count == 1 ? "\(code.rawValue): \(message)" : "\(code.rawValue): \(message) (\(count) times)"
  }
}

/// Collects findings; cases of one kind are counted, and the first one keeps its sentence.
package final class DAMFLog {
  private struct Key: Hashable {
    let code: DAMFFinding.Code
    let kind: String
  }

  /// Kinds that are told apart at most. Names of unknown keys come from the file.
  private static let limit = 1000

  private var places: [Key: Int] = [:]
  /// Findings in the order of their first cases.
  package private(set) var findings: [DAMFFinding] = []

  /// An empty log.
  package init() {}

  /// Counts `count` cases of `code`; `kind` tells cases apart that deserve sentences of their own. The sentence is only
  /// made for the first case.
  func note(
    _ code: DAMFFinding.Code, kind: String = "", count: Int = 1,
    at place: @autoclosure () -> DAMFPlace,
    _ message: @autoclosure () -> String
  ) {
    let key = Key(code: code, kind: kind)
    if let index = places[key] {
      findings[index].count += count
    } else if findings.count < DAMFLog.limit {
      places[key] = findings.count
      findings.append(DAMFFinding(code: code, message: "\(place()): \(message())", count: count))
    }
  }
}
