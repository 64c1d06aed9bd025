import AudioCore

/// Reads the frames of an element whose codec is LPCM.
package struct PlainSamples {
  private let element: PlayableElement
  private let config: LPCMConfig

  /// A reader of `element`; `nil` where its codec is another.
  package init?(_ element: PlayableElement) {
    guard case .lpcm(let config) = element.codec.decoder else { return nil }
    self.element = element
    self.config = config
  }

  /// Appends `count` samples of each decoded channel to `result`. What a frame lacks is silent; what it has
  /// more is left out.
  package func read(_ unit: TemporalUnit, count: Int, into result: AudioBuffer) {
    let start = result.grow(by: count)
    var plane = 0
    unit.bytes.withUnsafeBufferPointer { bytes in
      for (index, id) in element.element.substreamIDs.enumerated() {
        let channels = element.substreamChannels[index]
        let range = unit.frame(of: id)?.bytes ?? 0..<0
        for channel in 0..<channels {
          let line = UnsafeMutableBufferPointer(rebasing: result.channel(plane)[start...])
          let part = UnsafeBufferPointer(rebasing: bytes[range])
          write(part, channel, of: channels, to: line)
          plane += 1
        }
      }
    }
  }

  /// Writes one of the interleaved channels of a frame.
  private func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ channel: Int, of channels: Int,
    to line: UnsafeMutableBufferPointer<Float>
  ) {
    let size = config.sampleBytes
    let whole = min(line.count, bytes.count / (size * channels))
    // Most significant byte first, or last.
    let (first, step) = config.isLittleEndian ? (size - 1, -1) : (0, 1)
    for index in 0..<whole {
      let base = (index * channels + channel) * size + first
      var word: UInt32 = 0
      for byte in 0..<size { word = word << 8 | UInt32(bytes[base + byte * step]) }
      let value = Int32(bitPattern: word << UInt32(32 - 8 * size))
      line[index] = Float(value) * 0x1p-31
    }
    for index in whole..<line.count { line[index] = 0 }
  }
}
