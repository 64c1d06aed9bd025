import CProcess

/// The program that this process runs.
package enum OwnProgram {
  /// A path that starts it again.
  package static var path: String {
    #if canImport(Darwin)
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PROCESS_PATH_ROOM)) { room in
        guard let base = room.baseAddress, process_program(base, UInt32(room.count)) == 0 else {
          return CommandLine.arguments.first ?? ""
        }
        return String(cString: base)
      }
    #else
      // A link that the kernel keeps to the file, even when the file is replaced meanwhile.
      "/proc/self/exe"
    #endif
  }
}
