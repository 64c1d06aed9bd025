import Signal

/// Reads the bits of AC-4 frames; what contradicts the syntax is an ``AC4Error``.
typealias BitReader = Signal.BitReader<AC4Error>

/// Writes the bits of AC-4.
typealias BitWriter = Signal.BitWriter

extension AC4Error: BitstreamFailure {}
