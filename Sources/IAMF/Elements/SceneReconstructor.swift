import AudioCore

/// Makes the channels of a sound field from decoded channels.
struct SceneReconstructor {
  private let config: AmbisonicsConfig

  /// A reconstructor of a field.
  init(_ config: AmbisonicsConfig) { self.config = config }

  /// Appends the channels of a unit, in ACN order and SN3D, to `output`.
  func reconstruct(_ decoded: AudioBuffer, into output: AudioBuffer) {
    let start = output.grow(by: decoded.frames)
    for channel in 0..<config.channelCount {
      let line = UnsafeMutableBufferPointer(rebasing: output.channel(channel)[start...])
      switch config.mapping {
      case .mono(let indices):
        if indices[channel] == AmbisonicsConfig.silent {
          line.update(repeating: 0)
        } else {
          _ = line.update(fromContentsOf: decoded.channel(indices[channel]))
        }
      case .projection(_, let matrix):
        line.update(repeating: 0)
        // The matrix is stored by columns: all weights of one decoded channel stand together.
        for input in 0..<matrix.count / config.channelCount {
          let weight = Float(matrix[input * config.channelCount + channel]) / 32_768
          let source = decoded.channel(input)
          for index in line.indices { line[index] += weight * source[index] }
        }
      }
    }
  }
}
