import Signal

/// Codebooks of metadata (TS 103 190-1, Annex A.4 and A.5).
final class MetadataBooks {
  /// First values of dialogue enhancement: for methods 0 and 2, then for 1 and 3.
  let dialogueAbsolute = [HuffmanDecoder(Codebooks.deAbs0), HuffmanDecoder(Codebooks.deAbs1)]
  /// Differences of dialogue enhancement: for methods 0 and 2, then for 1 and 3.
  let dialogueDifference = [HuffmanDecoder(Codebooks.deDiff0), HuffmanDecoder(Codebooks.deDiff1)]
  /// Differences of transmitted dynamic range gains.
  let dynamicRange = HuffmanDecoder(Codebooks.drc)
}
