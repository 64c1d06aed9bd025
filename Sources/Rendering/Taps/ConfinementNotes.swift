import Platform

/// What this system can't keep foreign code from, as sentences for people.
enum ConfinementNotes {
  /// All of them; none where it can keep it from everything.
  static var all: [String] {
    let powers = Confinement.powers
    return
      (powers.guardsFiles
      ? [] : ["this kernel has no Landlock, so nothing keeps it from writing files elsewhere"])
      + (powers.guardsNetwork
        ? [] : ["this kernel has no filters of system calls, so nothing keeps it from the network"])
  }
}
