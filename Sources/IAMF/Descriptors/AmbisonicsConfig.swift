/// How substreams make a sound field in ACN order and SN3D normalization (`AmbisonicsConfig`).
package struct AmbisonicsConfig: Equatable, Sendable {
  /// How the field's channels are made of the decoded ones.
  package enum Mapping: Equatable, Sendable {
    /// For each channel of the field the index of its substream, or ``silent``.
    case mono([Int])
    /// Weights in 1/32768: for each decoded channel those of all channels of the field.
    case projection(coupledCount: Int, matrix: [Int16])
  }

  /// The index that stands for a silent channel.
  package static let silent = 255
  /// The highest order.
  private static let highestOrder = 14

  /// Channels of the field, (order + 1)².
  package var channelCount: Int
  /// Substreams, of one channel but for the coupled ones.
  package var substreamCount: Int
  /// How the channels are made.
  package var mapping: Mapping
}

extension AmbisonicsConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    let mode = try bits.leb128()
    guard mode <= 1 else { throw .unsupported("ambisonics_mode \(mode)") }
    channelCount = try bits.read(8)
    substreamCount = try bits.read(8)
    if mode == 0 {
      guard channelCount <= bits.bytesLeft else { throw .malformed("a channel mapping") }
      mapping = .mono(try bits.bytes(channelCount).map(Int.init))
    } else {
      let coupled = try bits.read(8)
      let count = (substreamCount + coupled) * channelCount
      guard 2 * count <= bits.bytesLeft else { throw .malformed("a demixing matrix") }
      var matrix: [Int16] = []
      for _ in 0..<count { matrix.append(Int16(truncatingIfNeeded: try bits.read(16))) }
      mapping = .projection(coupledCount: coupled, matrix: matrix)
    }
    try check()
  }

  private func check() throws(IAMFError) {
    guard
      (0...AmbisonicsConfig.highestOrder).contains(where: { ($0 + 1) * ($0 + 1) == channelCount })
    else { throw .malformed("a sound field of \(channelCount) channels") }
    guard substreamCount > 0 else { throw .malformed("a sound field without substreams") }
    switch mapping {
    case .mono(let indices):
      guard indices.allSatisfy({ $0 < substreamCount || $0 == AmbisonicsConfig.silent }) else {
        throw .malformed("a channel of a substream that isn't there")
      }
    case .projection(let coupled, _):
      guard coupled <= substreamCount else {
        throw .malformed("\(coupled) coupled of \(substreamCount) substreams")
      }
    }
  }

  /// Channels of each substream.
  package var substreamChannels: [Int] {
    var coupled = 0
    if case .projection(let count, _) = mapping { coupled = count }
    return (0..<substreamCount).map { $0 < coupled ? 2 : 1 }
  }
}
