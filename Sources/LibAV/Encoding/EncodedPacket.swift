/// One packet of an encoder.
package struct EncodedPacket: Sendable, Equatable {
  /// The payload.
  package let data: [UInt8]
  /// Time of its first sample; negative while start-up samples last.
  package let time: Int64
  /// Samples it decodes to.
  package let duration: Int

  /// A packet of `duration` samples from `time` on.
  package init(data: [UInt8], time: Int64, duration: Int) {
    self.data = data
    self.time = time
    self.duration = duration
  }
}
