/// Codebooks of metadata (TS 103 190-1, Annex A.4 and A.5).
final class MetadataBooks {
  /// First values of dialogue enhancement, by parity of the method.
  let dialogueAbsolute = [HuffmanDecoder(Codebooks.deAbs0), HuffmanDecoder(Codebooks.deAbs1)]
  /// Differences of dialogue enhancement, by parity of the method.
  let dialogueDifference = [HuffmanDecoder(Codebooks.deDiff0), HuffmanDecoder(Codebooks.deDiff1)]
  /// Differences of transmitted gains.
  let dynamicRange = HuffmanDecoder(Codebooks.drc)
}
