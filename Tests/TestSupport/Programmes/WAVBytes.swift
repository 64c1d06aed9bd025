import Foundation

/// Makes and reads WAV files byte by byte, without the product's own code.
package enum WAVBytes {
  /// A WAV file of 16-bit samples, channels interleaved from planes.
  package static func pcm16(_ planes: [[Int16]], rate: Int, mask: UInt32? = nil) -> Data {
    var body = Data(capacity: planes.count * (planes.first?.count ?? 0) * 2)
    for frame in 0..<(planes.first?.count ?? 0) {
      for plane in planes { append(UInt16(bitPattern: plane[frame]), to: &body) }
    }
    return file(body, channels: planes.count, rate: rate, bits: 16, tag: 1, mask: mask)
  }

  /// A WAV file of 32-bit floats.
  package static func float32(_ planes: [[Float]], rate: Int, mask: UInt32? = nil) -> Data {
    var body = Data(capacity: planes.count * (planes.first?.count ?? 0) * 4)
    for frame in 0..<(planes.first?.count ?? 0) {
      for plane in planes { append(plane[frame].bitPattern, to: &body) }
    }
    return file(body, channels: planes.count, rate: rate, bits: 32, tag: 3, mask: mask)
  }

  /// The planes of a WAV file of 32-bit floats; none where `data` isn't one.
  package static func floatPlanes(_ data: Data) -> [[Float]] {
    let bytes = [UInt8](data)
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
    var (place, channels) = (12, 0)
    while place + 8 <= bytes.count {
      let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
      let size = number(place + 4, 4)
      if name == "fmt " { channels = number(place + 10, 2) }
      if name == "data", channels > 0 {
        let frames = size / 4 / channels
        return (0..<channels).map { channel in
          (0..<frames).map { frame in
            Float(
              bitPattern: UInt32(number(place + 8 + 4 * (frame * channels + channel), 4)))
          }
        }
      }
      place += 8 + size + size % 2
    }
    return []
  }

  private static func file(
    _ body: Data, channels: Int, rate: Int, bits: Int, tag: UInt16, mask: UInt32?
  ) -> Data {
    var format = Data()
    append(mask == nil ? tag : 0xFFFE, to: &format)
    append(UInt16(channels), to: &format)
    append(UInt32(rate), to: &format)
    append(UInt32(rate * channels * bits / 8), to: &format)
    append(UInt16(channels * bits / 8), to: &format)
    append(UInt16(bits), to: &format)
    if let mask {
      append(UInt16(22), to: &format)
      append(UInt16(bits), to: &format)
      append(mask, to: &format)
      append(tag, to: &format)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var data = Data("RIFF".utf8)
    append(UInt32(4 + 8 + format.count + 8 + body.count), to: &data)
    data += Data("WAVEfmt ".utf8)
    append(UInt32(format.count), to: &data)
    data += format + Data("data".utf8)
    append(UInt32(body.count), to: &data)
    return data + body
  }

  private static func append<Value: FixedWidthInteger>(_ value: Value, to data: inout Data) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }
}
