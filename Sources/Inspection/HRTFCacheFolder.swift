/// Where HRTF sets are cached that were read once.
package enum HRTFCacheFolder {
  /// The folder `hrtf` of ``UserCache``; `nil` when there is none.
  package static func path(_ environment: [String: String]) -> String? {
    UserCache.folder("hrtf", environment)
  }
}
