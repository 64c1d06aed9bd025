/// Ends the command with this code; everything that was to be said has been said.
struct ExitStatus: Error {
  let code: Int32
}
