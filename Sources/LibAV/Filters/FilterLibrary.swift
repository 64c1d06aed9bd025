import CFFmpeg

/// libavfilter, opened when it is first needed.
package struct FilterLibrary: Sendable {
  /// Its functions; they hold no state of their own.
  let calls: pinna_filters

  /// Name of its file.
  package static var fileName: String { String(cString: pinna_filters_name()) }

  /// The library; `nil` where it isn't installed, or is of another major version than it was built for.
  package static let current: FilterLibrary? = {
    var calls = pinna_filters()
    guard pinna_open_filters(&calls) != 0 else { return nil }
    return FilterLibrary(calls: calls)
  }()

  /// Its version, e.g. `8.44.100`.
  package var version: String {
    LibraryVersion(packed: calls.version?() ?? 0).description
  }

  /// Whether it has the filter `name`.
  package func has(_ name: String) -> Bool { calls.get_by_name?(name) != nil }
}
