/// Converts text of other encodings by the C library's iconv.
package enum TextConversion {
  /// The UTF-8 of `bytes`, which are in the encoding that iconv calls `name`; `nil` where they aren't valid in it, or
  /// the system doesn't know it.
  package static func utf8(_ bytes: some Collection<UInt8>, from name: String) -> [UInt8]? {
    #if canImport(Darwin)
      // Darwin has iconv in a library of its own, which nothing else needs.
      return nil
    #else
      let converter = iconv_open("UTF-8", name)
      // (iconv_t)-1 is the failure.
      guard converter != iconv_t(bitPattern: -1) else { return nil }
      defer { iconv_close(converter) }
      var input = bytes.map { CChar(bitPattern: $0) }
      // No character of the encodings here takes more than four times its bytes in UTF-8.
      var output = [CChar](repeating: 0, count: 4 * input.count + 16)
      let (capacity, length) = (output.count, input.count)
      let left = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target -> Int? in
          var (from, to) = (source.baseAddress, target.baseAddress)
          var (rest, room) = (length, capacity)
          let result = iconv(converter, &from, &rest, &to, &room)
          return result == -1 || rest > 0 ? nil : room
        }
      }
      return left.map { room in output[..<(capacity - room)].map { UInt8(bitPattern: $0) } }
    #endif
  }
}
