/// A fault of a fragmented movie.
package struct FragmentedMovieFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kind of fault.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// There is no `moov` box.
    case noMovie = "no-movie"
    /// A box reaches beyond its parent, leaves bytes over or is too short for its stated content.
    case malformedBox = "malformed-box"
    /// Fragments aren't numbered in ascending order.
    case sequence
    /// A fragment's samples belong to a track that doesn't exist.
    case unknownTrack = "unknown-track"
    /// A fragment doesn't begin where the track's last one ended, or doesn't state its beginning.
    case decodeTime = "decode-time"
    /// A track has not exactly one edit of media at normal speed.
    case editList = "edit-list"
    /// A track's edit has another length than its samples have.
    case editDuration = "edit-duration"
    /// Samples lie outside the media data that follow their fragment.
    case dataOffset = "data-offset"
    /// The samples' sizes don't sum up to the media data.
    case dataSize = "data-size"
    /// The stated length of the movie isn't that of its tracks.
    case movieDuration = "movie-duration"
    /// A roll group covers another number of samples than there are, or isn't described.
    case rollGroup = "roll-group"
    /// The index at the end points at something else than a fragment, or is built wrongly.
    case index
  }

  /// The kind of fault.
  package let code: Code
  /// Where, as types of boxes from the top with numbers from 1, e.g. `moof[3]/traf[1]`.
  package let path: String
  /// What is wrong, with figures.
  package let message: String

  /// All in one line.
  package var description: String { "\(code.rawValue): \(path): \(message)" }
}
