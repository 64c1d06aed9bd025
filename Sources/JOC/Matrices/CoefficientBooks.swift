import Signal

/// Decoders of the codebooks of joint object coding.
struct CoefficientBooks {
  /// Of coefficients of all channels, coarse and fine.
  let coefficients = [
    HuffmanDecoder(JOCCodes.coarseCoefficients), HuffmanDecoder(JOCCodes.fineCoefficients),
  ]
  /// Of coefficients of one channel, coarse and fine.
  let vectors = [
    HuffmanDecoder(JOCCodes.coarseVectors), HuffmanDecoder(JOCCodes.fineVectors),
  ]
  /// Of the channel's number among five.
  let five = HuffmanDecoder(JOCCodes.fiveChannels)
  /// Of the channel's number among seven.
  let seven = HuffmanDecoder(JOCCodes.sevenChannels)
}
