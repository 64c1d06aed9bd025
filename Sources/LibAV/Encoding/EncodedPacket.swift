/// One packet of an encoder.
public struct EncodedPacket: Sendable, Equatable {
  /// The payload.
  public let data: [UInt8]
  /// Time of its first sample; negative while start-up samples last.
  public let time: Int64
  /// Samples it decodes to.
  public let duration: Int

  /// A packet of `duration` samples from `time` on.
  public init(data: [UInt8], time: Int64, duration: Int) {
    self.data = data
    self.time = time
    self.duration = duration
  }
}
