import CProcess

/// Puts a finished folder where an old one is.
enum NameExchange {
  /// Lets what is at `one` and at `other` change places, both named in the open folder `parent`: at no moment is a name
  /// missing.
  /// - Returns: whether it was done; `false` where one of them isn't there or the file system can't.
  static func swap(_ one: String, _ other: String, in parent: Int32 = AT_FDCWD) -> Bool {
    process_exchange_names(parent, one, other) == 0
  }
}
