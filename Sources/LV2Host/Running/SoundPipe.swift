import AudioCore
import Platform

/// The way of the sound into and out of this process, kept apart from what plugins print.
final class SoundPipe {
  private let inlet: Int32
  private var outlet: Int32

  /// Takes standard input and output for the sound; plugins find the null device there instead.
  /// - Throws: ``MediaError`` of kind `outOfResources`.
  init() throws {
    inlet = dup(STDIN_FILENO)
    outlet = dup(STDOUT_FILENO)
    let null = open("/dev/null", O_RDWR)
    guard inlet >= 0, outlet >= 0, null >= 0, dup2(null, STDIN_FILENO) >= 0,
      dup2(null, STDOUT_FILENO) >= 0
    else { throw MediaError(.outOfResources, "has no descriptors left; try again") }
    close(null)
  }

  deinit {
    shut()
    close(inlet)
  }

  /// Fills `room` with as many bytes as there are.
  /// - Returns: how many; fewer than fit only at the end.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < room.count {
      let got = readOnce(inlet, UnsafeMutableRawBufferPointer(rebasing: room[done...]))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      done += got
    }
    return done
  }

  /// Writes all `bytes`.
  /// - Throws: ``MediaError`` of kind `interrupted` when nobody reads them.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let moved = writeOnce(outlet, UnsafeRawBufferPointer(rebasing: bytes[done...]))
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw MediaError(.interrupted, "nobody reads the sound") }
      done += moved
    }
  }

  /// Ends the output.
  func shut() {
    guard outlet >= 0 else { return }
    close(outlet)
    outlet = -1
  }
}

/// read(2), whose name a type with a method of that name couldn't reach.
private func readOnce(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, room.baseAddress, room.count)
}

/// write(2), likewise.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
