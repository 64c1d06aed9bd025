import AudioCore
import LibAV
import Samples
import Verify

/// A programme that keeps digest and checksum of its planes while it is read.
final class DigestedSource: ProgrammeSource {
  let programme: Programme
  /// Samples per plane so far.
  private(set) var frames: Int64 = 0

  private let source: any ProgrammeSource
  private let sum: ByteChecksum
  private var digest = PCMDigest()
  private var packed: PackedBlock
  private let tell: (Int64) throws -> Void

  /// Reads `source`; its planes are digested as `stored`.
  /// - Parameter tell: called with the samples so far; may throw.
  init(
    _ source: any ProgrammeSource, stored: SampleFormat, tell: @escaping (Int64) throws -> Void
  ) throws {
    self.source = source
    self.tell = tell
    programme = source.programme
    sum = try ByteChecksum()
    packed = PackedBlock(stored)
  }

  /// SHA-256 of the bytes of all planes.
  var hexadecimal: String { digest.hexadecimal }

  /// Checksum of the same bytes. Call once.
  func checksum() -> [UInt8] { sum.finish() }

  /// Appends the next samples to `block`, which holds none yet; `false` at the end.
  func read(into block: ProgrammeBlock) throws -> Bool {
    let hasMore = try source.read(into: block)
    packed.withBytes(block.audio) {
      digest.update($0)
      sum.update($0)
    }
    frames += Int64(block.audio.frames)
    try tell(frames)
    return hasMore
  }
}
