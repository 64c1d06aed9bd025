/// The folder in which a process caches the HRTF sets that it has read.
package enum HRTFCacheFolder {
  /// `$XDG_CACHE_HOME/pinna/hrtf`, else `~/.cache/pinna/hrtf`; `nil` when there is neither or
  /// PINNA_CACHE is set to anything but `on`. A relative XDG_CACHE_HOME counts as unset (XDG Base
  /// Directory Specification).
  package static func path(_ environment: [String: String]) -> String? {
    if let wish = environment["PINNA_CACHE"], !wish.isEmpty, wish != "on" { return nil }
    let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    return (named ?? home).map { $0 + "/pinna/hrtf" }
  }
}
