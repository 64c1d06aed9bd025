import AudioCore

/// Plays diffuse sound from all around: each of ``DiffuseDirections`` through a decorrelator and the
/// responses of its direction. It turns with the head, because it sounds the same from everywhere.
///
/// It costs nothing until something is diffuse.
final class DiffuseBus {
  private let designer: HRIRDesigner
  private var convolver: FastConvolver?

  /// A bus of `designer`'s responses.
  init(_ designer: HRIRDesigner) { self.designer = designer }

  /// Samples by which it delays more than the responses themselves.
  static let delay = DecorrelationFilter.delay
  /// Samples by which its filters are longer than the responses.
  static let length = DecorrelationFilter.length - 1

  /// Plays the `frames` samples of `lanes` and appends what is ready to the two planes of `output`.
  func play(_ lanes: StepLanes, frames: Int, into output: AudioBuffer) {
    guard lanes.hasDiffuse || convolver != nil else {
      output.appendSilence(frames)
      return
    }
    let sources = DiffuseDirections.all.indices.map { UnsafePointer(lanes.diffuse($0)) }
    made().process(sources, frames: frames, into: output)
  }

  private func made() -> FastConvolver {
    if let convolver { return convolver }
    let pairs = DiffuseDirections.all.enumerated().map { index, direction in
      let taps = DecorrelationFilter.taps(index)
      let pair = designer.pair(for: direction)
      return HRIRDesigner.Pair(
        left: Convolution.full(taps, pair.left), right: Convolution.full(taps, pair.right))
    }
    let count = pairs[0].left.count
    let made = FastConvolver(
      left: pairs.map(\.left), right: pairs.map(\.right), taps: count,
      transformLength: FastConvolver.bestLength(taps: count))
    convolver = made
    return made
  }
}
