/// Ends the command with this code; all messages have been printed already.
struct ExitStatus: Error {
  let code: Int32
}
