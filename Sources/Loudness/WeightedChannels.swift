import AudioCore

/// K-weighted, channel-weighted energy of all channels that count (ITU-R BS.1770-5, Annex 1).
struct WeightedChannels {
  private let filter: KWeighting
  private var pairs: [(first: Int, second: Int, weights: SIMD2<Double>)] = []
  private var quads: [(channels: SIMD4<Int>, weights: SIMD4<Double>)] = []
  private var pairStates: [KWeightingState<SIMD2<Double>>] = []
  private var quadStates: [KWeightingState<SIMD4<Double>>] = []

  /// Filters for `weights.count` channels at `sampleRate` Hz; channels of weight 0 are left out.
  init(sampleRate: Int, weights: [Double]) {
    filter = KWeighting(sampleRate: sampleRate)
    var rest = weights.indices.filter { weights[$0] > 0 }[...]
    while rest.count > 2 {
      // A missing fourth channel is the first one again, with no weight.
      let four = Array(rest.prefix(4))
      let last = four.count == 4 ? four[3] : four[0]
      quads.append(
        (
          SIMD4(four[0], four[1], four[2], last),
          SIMD4(
            weights[four[0]], weights[four[1]], weights[four[2]],
            four.count == 4 ? weights[last] : 0)
        ))
      rest = rest.dropFirst(4)
    }
    if let first = rest.first, let second = rest.last {
      let hasTwo = rest.count == 2
      pairs.append((first, second, SIMD2(weights[first], hasTwo ? weights[second] : 0)))
    }
    pairStates = pairs.map { _ in KWeightingState() }
    quadStates = quads.map { _ in KWeightingState() }
  }

  /// Filters samples `start ..< start + count` of `buffer`.
  mutating func add(_ buffer: AudioBuffer, start: Int, count: Int) {
    for (index, group) in quads.enumerated() {
      guard let first = plane(buffer, group.channels[0], start),
        let second = plane(buffer, group.channels[1], start),
        let third = plane(buffer, group.channels[2], start),
        let fourth = plane(buffer, group.channels[3], start)
      else { continue }
      KWeightingKernel.run(
        (first, second, third, fourth), count: count, filter: filter, state: &quadStates[index])
    }
    for (index, group) in pairs.enumerated() {
      guard let first = plane(buffer, group.first, start),
        let second = plane(buffer, group.second, start)
      else { continue }
      KWeightingKernel.run(
        first, second, count: count, filter: filter, state: &pairStates[index])
    }
  }

  /// Weighted sum of squares since the last call.
  mutating func takeEnergy() -> Double {
    var sum = 0.0
    for index in quads.indices {
      sum += (quadStates[index].energy * quads[index].weights).sum()
      quadStates[index].energy = SIMD4()
    }
    for index in pairs.indices {
      sum += (pairStates[index].energy * pairs[index].weights).sum()
      pairStates[index].energy = SIMD2()
    }
    return sum
  }

  /// Zeroes decayed filter memories; see ``KWeightingState/flushTiny()``.
  mutating func flushTiny() {
    for index in quadStates.indices { quadStates[index].flushTiny() }
    for index in pairStates.indices { pairStates[index].flushTiny() }
  }

  private func plane(_ buffer: AudioBuffer, _ channel: Int, _ start: Int) -> UnsafePointer<Float>? {
    buffer.channel(channel).baseAddress.map { UnsafePointer($0 + start) }
  }
}
