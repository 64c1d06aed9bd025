// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Markup

/// A reason to refuse a file with audio definition metadata.
package struct ADMError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a fault.
  package enum Code: String, Sendable, CaseIterable {
    /// Chunks of the WAV file contradict each other or the file's size.
    case container
    /// The document isn't well-formed XML.
    case syntax
    /// The document has a document type declaration.
    case documentType
    /// A count or size is above what is accepted.
    case limit
    /// A value isn't of the form or in the range that its element demands.
    case value
    /// Two elements of one kind have the same identifier.
    case duplicate
    /// A reference leads to no element, or to one of another kind.
    case reference
    /// Elements contain each other.
    case cycle
    /// Tracks and channels can't be matched, or match in more than one way.
    case tracks
    /// The request names nothing that is there, contradicts itself or is more than the file allows.
    case request
    /// The request is to change something that the file lets no listener change at all.
    case interaction
    /// The file uses a feature that isn't supported.
    case unsupported
  }

  /// Kind of the fault.
  package let code: Code
  /// Fault and remedy, without the place.
  package let message: String
  /// Place in the document; `nil` for a fault of the container, or of the whole.
  package let place: XMLPlace?

  /// A refusal with its sentence.
  package init(_ code: Code, _ message: String, at place: XMLPlace? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// The refusal of the document's XML.
  init(_ error: MarkupError) {
    switch error.code {
    case .syntax: self.init(.syntax, error.message, at: error.place)
    case .documentType: self.init(.documentType, error.message, at: error.place)
    case .limit: self.init(.limit, error.message, at: error.place)
    }
  }

  /// Place and message in one line.
  package var description: String { place.map { "\($0): \(message)" } ?? message }

  /// The failure that a run about the file `name` ends with.
  package func mediaError(about name: String) -> MediaError {
    MediaError(kind, about: name, description, cause: self)
  }

  private var kind: MediaError.Kind {
    switch code {
    case .unsupported: return .unsupportedFeature
    case .request, .interaction: return .usage
    default: return .damaged
    }
  }
}

/// Something that was repaired, passed over or taken leniently in a file, with how often it occurred.
package struct ADMFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kind of a finding.
  package enum Code: String, Sendable, CaseIterable {
    /// Sizes or chunks of the container aren't as the format demands.
    case container
    /// `chna` counts its tracks wrongly, or is missing.
    case channelTable
    /// The Dolby metadata are damaged.
    case dolbyMetadata
    /// Text isn't valid UTF-8.
    case encoding
    /// An element has a name that isn't known here.
    case unknownElement
    /// A value has a form that only other versions of the standard allow.
    case lenientValue
    /// Statements that should agree don't.
    case contradiction
    /// An azimuth beyond ±180° was wrapped.
    case wrapped
    /// The ends of blocks were moved to where the next ones begin.
    case blockTimes
    /// Blocks weren't in order.
    case blockOrder
    /// An interpolation was shortened to its block.
    case interpolation
    /// Blocks beyond their object's end were cut or dropped.
    case blocksBeyondObject
    /// An element of the file replaces a common definition.
    case commonReplaced
    /// A stream names a channel and a pack; the pack is passed over.
    case streamNamesPack
    /// A property has no effect on what is rendered.
    case ignored
    /// An object, channel or track is used by nothing.
    case unused
    /// Something that was asked for in several ways was chosen.
    case choice
    /// Objects were left out because that was asked for.
    case leftOut
    /// Objects were changed because that was asked for.
    case changed
  }

  /// Kind of the finding.
  package let code: Code
  /// One sentence about the first case.
  package let message: String
  /// How many cases there are, at least 1.
  package internal(set) var count: Int

  /// Code, sentence and count in one line.
  package var description: String {
    count == 1 ? "\(code.rawValue): \(message)" : "\(code.rawValue): \(message) (\(count) times)"
  }
}

/// Collects findings; cases of one kind are counted, and the first one keeps its sentence.
package final class FindingLog {
  private struct Key: Hashable {
    let code: ADMFinding.Code
    let kind: String
  }

  /// Kinds that are told apart at most. Names of unknown elements come from the file.
  private static let limit = 1000

  private var places: [Key: Int] = [:]
  /// Findings in order of first appearance.
  package private(set) var findings: [ADMFinding] = []

  /// An empty log.
  package init() {}

  /// Counts one case of `code`; `kind` tells cases apart that deserve sentences of their own. The
  /// sentence is only made for the first case.
  func note(_ code: ADMFinding.Code, kind: String = "", _ message: @autoclosure () -> String) {
    let key = Key(code: code, kind: kind)
    if let place = places[key] {
      findings[place].count += 1
    } else if findings.count < FindingLog.limit {
      places[key] = findings.count
      findings.append(ADMFinding(code: code, message: message(), count: 1))
    }
  }
}
