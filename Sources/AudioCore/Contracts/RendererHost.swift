/// Runs one ``Renderer`` and checks the order of calls and the shape of every buffer.
package final class RendererHost {
  private enum State {
    case idle
    case running
    case finished
  }

  private let renderer: any Renderer
  private var state = State.idle
  private var planes = 0
  private var channels = 0

  /// A host for `renderer`.
  package init(_ renderer: any Renderer) { self.renderer = renderer }

  /// Exact latency in output samples; valid after ``prepare(_:)``.
  package var latency: Int { renderer.latency }

  /// Samples by which the response outlasts the input; valid after ``prepare(_:)``.
  package var tail: Int { renderer.tail }

  /// Prepares the renderer.
  /// - Throws: ``MediaError`` of kind `internal` when called twice, or what the renderer throws.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    guard case .idle = state else { throw misuse("was prepared twice") }
    let output = try renderer.prepare(programme)
    planes = max(1, programme.planes)
    channels = max(1, output.channels)
    state = .running
    return output
  }

  /// Renders a block.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("was used while not running") }
    guard block.audio.channels == planes else {
      throw misuse("got \(block.audio.channels) planes, not \(planes)")
    }
    try check(output)
    guard block.frames > 0 else { return }
    try renderer.process(block, into: output)
  }

  /// Drains the renderer.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order or shape.
  package func finish(into output: AudioBuffer) throws {
    guard case .running = state else { throw misuse("was finished while not running") }
    try check(output)
    state = .finished
    try renderer.finish(into: output)
  }

  private func check(_ output: AudioBuffer) throws {
    guard output.channels == channels else {
      throw misuse("was to fill \(output.channels) channels, not \(channels)")
    }
  }

  private func misuse(_ what: String) -> MediaError {
    MediaError(.internal, "the renderer \(what)")
  }
}
