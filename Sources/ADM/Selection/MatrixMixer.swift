/// Makes the mixes of a matrix (BS.2076-2, 5.4.3.2; BS.2127, 5.2.6).
struct MatrixMixer {
  /// Matrices that feed each other: one that encodes and one that decodes.
  private static let mostNesting = 4
  /// Terms of one channel's mix, with those of the mixes that it takes in.
  private static let mostTerms = 65536

  private let pack: AudioPackFormat
  private let index: ElementIndex
  private let inputs: [ElementID: SampleSource]
  private let isApplied: Bool
  /// The matrix's channel for each channel that results.
  private var makers: [ElementID: ElementID] = [:]

  /// A mixer for a matrix whose tracks carry `inputs`; with `isApplied` these are its own channels.
  init(
    _ pack: AudioPackFormat, _ index: ElementIndex, inputs: [ElementID: SampleSource],
    isApplied: Bool
  ) throws(ADMError) {
    self.pack = pack
    self.index = index
    self.inputs = inputs
    self.isApplied = isApplied
    for id in pack.channels {
      let (_, matrix) = try MatrixMixer.block(try index.channel(id, of: pack.id))
      guard let output = matrix.output else {
        throw ADMError(.reference, "\(id) has no outputChannelFormat")
      }
      guard makers.updateValue(id, forKey: output) == nil else {
        throw ADMError(.reference, "\(pack.id) makes the channel \(output) twice")
      }
    }
  }

  /// Where the samples of a channel of the output pack come from.
  func source(of output: ElementID) throws(ADMError) -> SampleSource {
    guard let maker = makers[output] else {
      throw ADMError(.reference, "no channel of the matrix \(pack.id) makes \(output)")
    }
    if isApplied { return inputs[maker] ?? .silence }
    var terms = 0
    return try mix(maker, nesting: 0, &terms)
  }

  private func mix(
    _ id: ElementID, nesting: Int, _ count: inout Int
  ) throws(ADMError) -> SampleSource {
    guard nesting < MatrixMixer.mostNesting else {
      throw ADMError(.cycle, "the matrix of \(id) leads back to itself")
    }
    let (block, matrix) = try MatrixMixer.block(try index.channel(id, of: pack.id))
    count += matrix.coefficients.count
    guard count <= MatrixMixer.mostTerms else {
      throw ADMError(.limit, "\(id) mixes more than \(MatrixMixer.mostTerms) channels")
    }
    var terms: [SampleSource.Term] = []
    for coefficient in matrix.coefficients {
      let known = inputs[coefficient.input]
      if known == nil, try index.channel(coefficient.input, of: id).kind != .matrix {
        throw ADMError(.tracks, "\(id) mixes \(coefficient.input), which no track carries")
      }
      var source = known ?? .silence
      if known == nil { source = try mix(coefficient.input, nesting: nesting + 1, &count) }
      terms.append(
        SampleSource.Term(
          gain: coefficient.gain * block.gain, delay: coefficient.delay, source: source))
    }
    return .mix(terms)
  }

  private static func block(
    _ channel: AudioChannelFormat
  ) throws(ADMError) -> (AudioBlock, MatrixDetails) {
    guard channel.kind == .matrix, let block = channel.blocks.first, channel.blocks.count == 1,
      let matrix = channel.details(of: block).matrix
    else {
      throw ADMError(.value, "\(channel.id) has to be a Matrix channel with exactly one block")
    }
    return (block, matrix)
  }
}
