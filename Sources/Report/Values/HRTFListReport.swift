import AudioCore

/// HRTF sets that were found (`pinna.hrtf-list/1`).
public struct HRTFListReport: Sendable, Codable, Equatable {
  /// One set, or the reason why a file can't be used as one.
  public struct Entry: Sendable, Codable, Equatable {
    /// `kemar`, or the file's name.
    public var id: String
    /// Where it lies; `nil` for the built-in set.
    public var path: String?
    /// Number of places, mirrored ones included; `nil` for a file that can't be used, as are `taps`
    /// and `rate`.
    public var directions: Int?
    /// Taps of each response.
    public var taps: Int?
    /// Hz.
    public var rate: Int?
    /// Why the file can't be used.
    public var refusal: RenderReport.Failure?

    /// An entry.
    public init(
      id: String, path: String?, directions: Int? = nil, taps: Int? = nil, rate: Int? = nil,
      refusal: RenderReport.Failure? = nil
    ) {
      self.id = id
      self.path = path
      self.directions = directions
      self.taps = taps
      self.rate = rate
      self.refusal = refusal
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf-list/1"

  /// Always `pinna.hrtf-list/1`.
  public var schema = HRTFListReport.schemaName
  /// The built-in set, then the files in the order of the paths, those of a folder by name.
  public var sets: [Entry]

  /// A list of `sets`.
  public init(sets: [Entry]) { self.sets = sets }

  /// The failure of the first file, when there are files and none of them can be used.
  public var failure: MediaError? {
    let files = sets.filter { $0.path != nil }
    guard files.allSatisfy({ $0.refusal != nil }), let first = files.first?.refusal else {
      return nil
    }
    return MediaError(MediaError.Kind(rawValue: first.kind) ?? .inputUnreadable, first.message)
  }
}
