extension SequenceDescription {
  /// Samples of a unit of `mix`; `nil` where only the decoder knows, because the last frame of FLAC may be
  /// shorter than the others.
  package func samples(of unit: TemporalUnit, _ mix: PlayableMix) -> Int? {
    for entry in mix.elements {
      guard let element = playableElements[entry.id] else { continue }
      switch element.codec.decoder {
      case .flac, .unknown: return nil
      case .opus, .aac: return element.codec.samplesPerFrame
      case .lpcm(let config):
        guard element.codec.samplesPerFrame == 0 else { return element.codec.samplesPerFrame }
        // The first frame that there is says how long all are.
        for (index, id) in element.element.substreamIDs.enumerated() {
          guard let frame = unit.frame(of: id) else { continue }
          return frame.bytes.count / (config.sampleBytes * element.substreamChannels[index])
        }
      }
    }
    return 0
  }
}
