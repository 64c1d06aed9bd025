import AudioCore
import LibAV

/// The filters of all main channels for a moving head, one set for each hop of the signal.
///
/// Hops lie at fixed positions, about 10 ms apart. A head at rest has the filters of its exact
/// pose; while it moves they are mixed by ``DirectionSpectra``.
final class MovingFilters {
  /// Samples between two sets of filters: a power of two, 7…12 ms.
  let hop: Int
  /// Points of the filters' transforms.
  let transformLength: Int

  private let trajectory: HeadTrajectory
  private let directions: [Direction]
  private let rate: Int
  private let lead: Int
  private let designer: HRIRDesigner
  private let spectra: DirectionSpectra
  private let mixed: [AlignedFloats]
  private var last: (state: HeadState, filters: PairedFilters)?

  /// Filters for sources in `directions` of the room, heard by the head of `hrtf` along
  /// `trajectory`.
  init(_ hrtf: HRTFSet, rate: Int, directions: [Direction], trajectory: HeadTrajectory) {
    self.trajectory = trajectory
    self.directions = directions
    self.rate = rate
    designer = HRIRDesigner(hrtf, rate: rate)
    lead = designer.lead
    hop = MovingFilters.hop(rate: rate)
    var length = 2 * hop
    while length < hop + designer.lead + designer.tail { length *= 2 }
    transformLength = length
    spectra = DirectionSpectra(designer, length: length)
    mixed = directions.map { _ in AlignedFloats(count: 2 * length) }
  }

  /// Samples from one set of filters to the next at `rate` samples a second: a power of two, 7…12 ms.
  static func hop(rate: Int) -> Int {
    var hop = 64
    while 2 * hop <= rate / 82 { hop *= 2 }
    return hop
  }

  /// The filters at output sample `boundary` × ``hop`` of the convolution, whose output lags the
  /// programme by the responses' lead; the same object again while the head rests.
  func filters(at boundary: Int) -> PairedFilters {
    let state = trajectory.state(at: boundary * hop - lead, rate: rate)
    if let last, last.state == state { return last.filters }
    let filters = state.isResting ? exact(state) : mix(state)
    last = (state, filters)
    return filters
  }

  private func exact(_ state: HeadState) -> PairedFilters {
    let pairs = directions.map { designer.pair(at: state.place(of: $0)) }
    return PairedFilters(
      left: pairs.map(\.left), right: pairs.map(\.right), length: transformLength)
  }

  private func mix(_ state: HeadState) -> PairedFilters {
    for (direction, target) in zip(directions, mixed) {
      spectra.mix(at: state.place(of: direction), into: target)
    }
    return PairedFilters(spectra: mixed, length: transformLength)
  }
}
