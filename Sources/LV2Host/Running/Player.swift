import AudioCore
import CLilv

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
