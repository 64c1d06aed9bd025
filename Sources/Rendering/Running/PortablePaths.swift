import LibAV

/// Bits that don't depend on the processor.
public enum PortablePaths {
  /// Makes libav use its plain C code for the rest of the process.
  public static func force() { LibAVVersion.disableProcessorFlags() }
}
