import Platform
import Synchronization

extension SceneFilters {
  /// The filters for scenes of `order` at `rate`, designed once for each set: the queue's items, the outputs of a render and
  /// the jobs of a worker mostly ask for the same ones, and a design takes some tenths of a second.
  static func designed(for hrtf: HRTFSet, order: Int, rate: Int) -> SceneFilters {
    let key = SceneFilterStore.Key(set: hrtf.contentDigest, order: order, rate: rate)
    if let known = SceneFilterStore.find(key) { return known }
    let filters = SceneFilters(hrtf, order: order, rate: rate)
    SceneFilterStore.keep(filters, key)
    return filters
  }
}

/// The designs of this process that were asked for last.
private enum SceneFilterStore {
  struct Key: Equatable {
    let set: String
    let order: Int
    let rate: Int
  }

  /// Designs that are kept: of order 7 each takes about a megabyte.
  private static let capacity = 4
  private static let kept = Mutex<[(key: Key, filters: SceneFilters)]>([])

  static func find(_ key: Key) -> SceneFilters? {
    kept.withLock { $0.first { $0.key == key }?.filters }
  }

  static func keep(_ filters: SceneFilters, _ key: Key) {
    kept.withLock { designs in
      // Another thread may have made the same design meanwhile.
      guard !designs.contains(where: { $0.key == key }) else { return }
      designs = designs.suffix(capacity - 1) + [(key, filters)]
    }
  }
}

extension HRTFSet {
  /// SHA-256 of everything that responses follow from: measurements, their symmetry and the options.
  fileprivate var contentDigest: String {
    var digest = Digest(.sha256)
    for samples in [[Float(measurements.taps)], measurements.responses] {
      samples.withUnsafeBytes { digest.update($0) }
    }
    let numbers =
      [Double(measurements.sampleRate), delayScale, isHemisphere ? 1 : 0] + measurements.delays
      + measurements.directions.flatMap { [$0.azimuth, $0.elevation] }
    numbers.withUnsafeBytes { digest.update($0) }
    digest.update(Array("\(options)".utf8))
    return digest.hexadecimal
  }
}
