/// Flags of open(2) that libc's module doesn't show, or that not every system has.
enum OpenFlags {
  /// Locates a folder without opening it for reading, which works without permission to read it.
  static var locate: Int32 {
    #if canImport(Darwin)
      // O_SEARCH: O_EXEC, which Darwin's headers show to C only as a cast, with O_DIRECTORY.
      0x4000_0000 | O_DIRECTORY
    #else
      // O_PATH.
      0o10_000_000 | O_DIRECTORY
    #endif
  }

  /// Makes a file that never has a name in the folder that is opened; `nil` where there is no such flag.
  static var nameless: Int32? {
    #if canImport(Darwin)
      nil
    #else
      // O_TMPFILE.
      0o20_000_000 | O_DIRECTORY
    #endif
  }
}
