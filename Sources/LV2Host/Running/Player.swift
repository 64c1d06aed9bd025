// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv
import Platform

/// Sends the sound of standard input through a plugin to standard output, as interleaved 32-bit floats.
struct Player {
  let session: PluginSession
  let world: World

  /// Hands what the plugin states behind its first block of silence to `answer`. The plugin is made for that only,
  /// because its state isn't fresh any more.
  /// - Throws: as ``Rack``.
  func start(_ answer: (PluginStart) throws -> Void) throws {
    var rack: Rack? = try makeRack()
    if let rack { try answer(statement(of: rack)) }
    Farewell.guarding { rack = nil }
  }

  private func makeRack() throws -> Rack {
    try Rack(session, try world.plugin(session.uri), world, URIDMap())
  }

  private func statement(of rack: Rack) -> PluginStart {
    let values = rack.values
    var silence = [Float](repeating: 0, count: PluginSession.block * session.channels)
    silence.withUnsafeMutableBufferPointer { samples in
      if let base = samples.baseAddress { rack.run(base) }
    }
    return PluginStart(
      latency: rack.latency, instances: rack.count, values: values, notes: rack.notes)
  }

  /// Sends all of the sound.
  /// - Throws: ``MediaError`` where the plugin refuses or changes its delay.
  func play(_ pipe: SoundPipe) throws {
    var rack: Rack? = try makeRack()
    try pass(pipe) { samples, block in
      guard let rack else { return }
      rack.run(samples)
      guard let stated = session.latency, rack.latency != stated else { return }
      throw MediaError(
        .unsupportedFeature,
        "changed its delay from \(stated) to \(rack.latency) samples at sample \(block * PluginSession.block), so "
          + "nothing after it would be in its place; give --tap-latency N to hold it at N")
    }
    pipe.shut()
    Farewell.guarding { rack = nil }
  }

  private func pass(
    _ pipe: SoundPipe, _ run: (UnsafeMutablePointer<Float>, Int) throws -> Void
  ) throws {
    let frame = session.channels * MemoryLayout<Float>.size
    let count = PluginSession.block * session.channels
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer { samples.deallocate() }
    let bytes = UnsafeMutableRawBufferPointer(start: samples, count: PluginSession.block * frame)
    var block = 0
    while true {
      let got = pipe.read(into: bytes)
      guard got > 0 else { return }
      // The last block is filled up with silence, and what comes of that is cut.
      for index in got..<bytes.count { bytes[index] = 0 }
      try run(samples, block)
      try pipe.write(UnsafeRawBufferPointer(rebasing: bytes[..<got]))
      block += 1
      if got < bytes.count { return }
    }
  }
}

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
    room.baseAddress.map { max(0, Descriptor.readAll(inlet, into: $0, count: room.count)) } ?? 0
  }

  /// Writes all `bytes`.
  /// - Throws: ``MediaError`` of kind `interrupted` when nobody reads them.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard Descriptor.writeAll(bytes, to: outlet) == 0 else {
      throw MediaError(.interrupted, "nobody reads the sound")
    }
  }

  /// Ends the output.
  func shut() {
    guard outlet >= 0 else { return }
    close(outlet)
    outlet = -1
  }
}

/// The end of a plugin, in which it can no longer spoil the sound: a crash or a hang while it is closed is told, and
/// nothing more.
enum Farewell {
  /// Seconds that a plugin may take to be closed.
  private static let patience: UInt32 = 5

  /// Calls `close`; this process ends with exit code 0 even when that crashes or hangs.
  static func guarding(_ close: () -> Void) {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] {
      signal(number) { _ in Farewell.leave(Farewell.crash) }
    }
    signal(SIGALRM) { _ in Farewell.leave(Farewell.hang) }
    alarm(patience)
    close()
    alarm(0)
  }

  private static let crash: StaticString =
    "pinna-lv2: the plugin crashed while it was closed; the sound is complete\n"
  private static let hang: StaticString =
    "pinna-lv2: the plugin hung while it was closed and was ended; the sound is complete\n"

  /// Only calls that a signal's handler may make.
  private static func leave(_ text: StaticString) {
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(0)
  }
}
