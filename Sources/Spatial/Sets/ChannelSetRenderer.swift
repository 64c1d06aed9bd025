import AudioCore
import Platform

/// Plays loudspeakers by a ``ChannelSet`` to headphones.
///
/// The centre's direct sound (mean of both ears) falls exactly on ``latency``. One gain brings all loudspeakers together to the level
/// of the built-in set. LFE channels pass the same low-pass as elsewhere, then the centre's responses.
package final class ChannelSetRenderer: AudioStage {
  /// A room that a moving head hears by several views.
  package struct Turns: Sendable {
    let sets: [ChannelSet]
    let views: RoomViews
    let trajectory: HeadTrajectory

    /// The room as each of `views` hears it, one set for each, and the way of the head, which hears the nearest one every 7…12 ms and
    /// fades in between.
    package init(_ sets: [ChannelSet], _ views: RoomViews, _ trajectory: HeadTrajectory) {
      self.sets = sets
      self.views = views
      self.trajectory = trajectory
    }
  }

  private enum Convolver {
    case still(FastConvolver)
    case moving(ViewConvolver)
  }

  private let set: ChannelSet
  private let turns: Turns?
  private let lfeGainDB: Double?
  private var convolver: Convolver?

  /// Samples by which output lags input.
  package private(set) var latency = 0
  /// Samples by which the longest response outlasts the input.
  package private(set) var tail = 0

  /// A renderer with the responses of `set`, or with those of the views of `turns`, whose delay and gain are those of `set`; LFE
  /// channels are played at `lfeGainDB` above a main channel, or dropped.
  package init(_ set: ChannelSet, turns: Turns? = nil, lfeGainDB: Double?) {
    self.set = set
    self.turns = turns
    self.lfeGainDB = lfeGainDB
  }

  /// Makes the filters for the channels of `format` and returns stereo at the same rate.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for rates outside 8…384 kHz, and naming the channels that the set has no
  ///   loudspeaker for.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard (8000...384_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "binaural rendering works at 8…384 kHz, not at \(format.sampleRate) Hz")
    }
    let filters = try ChannelFilters(set, format, lfeGainDB: lfeGainDB)
    latency = filters.latency
    let first = try filters.responses(of: turns?.sets.first ?? set)
    let taps = max(latency + 1, first.left.first?.count ?? 1)
    tail = taps - 1 - latency
    guard let turns else {
      convolver = .still(
        FastConvolver(
          left: first.left, right: first.right, taps: taps,
          transformLength: FastConvolver.bestLength(taps: taps)))
      return AudioFormat(sampleRate: format.sampleRate, layout: .stereo)
    }
    let (rate, latency, hop) = (
      format.sampleRate, latency, MovingFilters.hop(rate: format.sampleRate)
    )
    convolver = .moving(
      ViewConvolver(
        channels: format.channels, taps: taps, hop: hop,
        viewAt: { boundary in
          let state = turns.trajectory.state(at: boundary * hop - latency, rate: rate)
          return turns.views.nearest(to: state)
        }, makeFilters: { try filters.responses(of: turns.sets[$0]) }))
    return AudioFormat(sampleRate: rate, layout: .stereo)
  }

  /// Convolves `input`; appends the blocks that are complete.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    let channels = (0..<input.channels).compactMap {
      input.channel($0).baseAddress.map { UnsafePointer($0) }
    }
    switch try prepared() {
    case .still(let convolver): convolver.process(channels, frames: input.frames, into: output)
    case .moving(let convolver):
      try convolver.process(channels, frames: input.frames, into: output)
    }
  }

  /// Appends the rest, ``latency`` and ``tail`` included.
  package func finish(into output: AudioBuffer) throws {
    switch try prepared() {
    case .still(let convolver): convolver.finish(into: output)
    case .moving(let convolver): try convolver.finish(into: output)
    }
  }

  private func prepared() throws -> Convolver {
    guard let convolver else {
      throw MediaError(.internal, "the headphone renderer was used before it was prepared")
    }
    return convolver
  }
}
