// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Keeps the packets of an encoding in temporary files, in order, so that single ones can be replaced
/// before the output is written. Memory doesn't grow with their number.
package final class PacketStore {
  /// The place of a packet in the data file; the index file holds one entry for each packet.
  private struct Entry {
    var time: Int64 = 0
    var offset: Int64 = 0
    var size: Int32 = 0
    var duration: Int32 = 0
  }

  /// Number of packets.
  package private(set) var count = 0
  private let data: Int32
  private let index: Int32
  private var end: Int64 = 0

  /// An empty store.
  /// - Throws: ``MediaError`` of kind `disk-full`, `out-of-resources` or `output-unwritable`.
  package init() throws {
    data = try TemporaryFile.makeDescriptor()
    do { index = try TemporaryFile.makeDescriptor() } catch {
      close(data)
      throw error
    }
  }

  deinit {
    close(data)
    close(index)
  }

  /// Adds `packet` behind the last.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func append(_ packet: EncodedPacket) throws {
    count += 1
    try replace(count - 1, by: packet)
  }

  /// Puts `packet` in the place of packet `number`, 0 to ``count`` − 1.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func replace(_ number: Int, by packet: EncodedPacket) throws {
    var entry = Entry(
      time: packet.time, offset: end, size: Int32(clamping: packet.data.count),
      duration: Int32(clamping: packet.duration))
    try PacketStore.check(Descriptor.writeAll(packet.data, to: data, at: end))
    end += Int64(packet.data.count)
    try PacketStore.check(
      withUnsafeBytes(of: &entry) { Descriptor.writeAll($0, to: index, at: place(number)) })
  }

  /// Packet `number`, 0 to ``count`` − 1.
  /// - Throws: ``MediaError`` when it can't be read back.
  package func packet(_ number: Int) throws -> EncodedPacket {
    var entry = Entry()
    try withUnsafeMutableBytes(of: &entry) { try PacketStore.fill($0, index, at: place(number)) }
    var payload = [UInt8](repeating: 0, count: Int(entry.size))
    try payload.withUnsafeMutableBytes { try PacketStore.fill($0, data, at: entry.offset) }
    return EncodedPacket(data: payload, time: entry.time, duration: Int(entry.duration))
  }

  /// The packets of `range`, in order.
  /// - Throws: ``MediaError`` when they can't be read back.
  package func packets(_ range: ClosedRange<Int>) throws -> [EncodedPacket] {
    try range.map(packet)
  }

  private func place(_ number: Int) -> Int64 { Int64(number * MemoryLayout<Entry>.stride) }

  private static func check(_ code: Int32) throws {
    try OutputFailure.check(code, "temporary file")
  }

  private static func fill(
    _ room: UnsafeMutableRawBufferPointer, _ descriptor: Int32, at offset: Int64
  ) throws {
    guard let base = room.baseAddress else { return }
    let got = Descriptor.readAll(descriptor, into: base, count: room.count, at: offset)
    // The file was cut by someone else.
    if got < room.count { try check(got < 0 ? Int32(-got) : ENOSPC) }
  }
}

/// Encodes sound into a ``PacketStore``.
package final class PacketStoreSink: AudioSink {
  private let encoder: FrameEncoder
  private let store: PacketStore

  /// A sink that keeps the packets of `encoder` in `store`.
  package init(_ encoder: FrameEncoder, _ store: PacketStore) {
    self.encoder = encoder
    self.store = store
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings.
  package var clippedSamples: Int64 { encoder.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { encoder.stored }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  package func write(_ buffer: AudioBuffer) throws {
    for packet in try encoder.encode(buffer) { try store.append(packet) }
  }

  /// Encodes the rest.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    for packet in try encoder.finish() { try store.append(packet) }
  }
}

/// A sink that takes packets which were encoded ahead, in place of sound.
package protocol PacketSink: AudioSink {
  /// Writes all packets of `store`, which were encoded with the same settings, and completes the file; takes the place of
  /// ``AudioSink/write(_:)`` and ``AudioSink/close()``.
  /// - Throws: ``MediaError`` when they can't be stored.
  func write(_ store: PacketStore) throws
}
