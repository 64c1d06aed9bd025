import AudioCore

/// A tap as a plan, a cache and a report know it.
public struct PlannedTap: Sendable, Hashable, Codable {
  /// Where it sits.
  public var point: TapPoint
  /// What kind it is, as the command line calls it: `eq`, `fir`, `avfilter`, `lv2`, `exec` or `own`.
  public var kind: String
  /// The name of its file or its code.
  public var name: String
  /// SHA-256 of what decides its samples besides the settings; `nil` where there is nothing.
  public var sha256: String?
  /// Its settings, one each, as the report lists them.
  public var settings: [String]
  /// The items of a queue that pass it, counted from 1; `nil` for all.
  public var items: [Int]?

  /// What messages call it.
  var title: String { "the tap \(point.rawValue):\(kind) \(name)" }
}
