// SPDX-License-Identifier: Apache-2.0
import Platform

/// Folders of the user's cache.
package enum UserCache {
  /// `$XDG_CACHE_HOME/pinna/<name>`, else `~/.cache/pinna/<name>`; `nil` when there is neither or
  /// PINNA_CACHE is set to anything but `on`.
  package static func folder(_ name: String, _ environment: [String: String]) -> String? {
    if let wish = environment["PINNA_CACHE"], !wish.isEmpty, wish != "on" { return nil }
    return UserFolders.of("XDG_CACHE_HOME", usual: ".cache", environment).first
      .map { $0 + "/pinna/" + name }
  }
}

/// The cache of HRTF sets that were read once.
package enum HRTFCacheFolder {
  /// The folder `hrtf` of ``UserCache``; `nil` when there is none.
  package static func path(_ environment: [String: String]) -> String? {
    UserCache.folder("hrtf", environment)
  }
}
