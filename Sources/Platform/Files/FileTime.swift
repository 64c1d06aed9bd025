extension stat {
  /// When the content was last changed. The field has another name on each system.
  package var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
