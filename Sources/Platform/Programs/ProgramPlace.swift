/// Where programs lie.
package enum ProgramPlace {
  /// Folders in which programs are looked for that are given by name.
  package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

  /// The path of `program`: itself where it has a slash, else the first of that name in PATH or in ``folders``; `nil`
  /// where there is none.
  package static func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let named = getenv("PATH").map { String(cString: $0) } ?? ""
    return (named.split(separator: ":").map(String.init) + folders).lazy
      .map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
  }
}
