// SPDX-License-Identifier: Apache-2.0

/// The `bext` chunk of a WAV file by its byte offsets (EBU Tech 3285, version 2).
struct BroadcastChunkBytes {
  let version: Int
  let loudness: Double
  let range: Double
  let truePeak: Double
  let history: String

  init?(_ file: [UInt8]) {
    let name = Array("bext".utf8)
    guard
      let start = (12..<min(file.count, 4096)).first(where: { Array(file[$0..<($0 + 4)]) == name })
    else { return nil }
    let body = start + 8
    let size = (0..<4).reduce(0) { $0 | Int(file[start + 4 + $1]) << (8 * $1) }
    let word = { (offset: Int) in
      Int16(file[body + offset]) | Int16(bitPattern: UInt16(file[body + offset + 1]) << 8)
    }
    version = Int(word(346))
    loudness = Double(word(412)) / 100
    range = Double(word(414)) / 100
    truePeak = Double(word(416)) / 100
    history = String(decoding: file[(body + 602)..<(body + size)], as: UTF8.self)
  }
}
