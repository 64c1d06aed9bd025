// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The description of a set's sound: how its samples are stored, and how many there are.
package struct CAFFacts: Sendable, Equatable {
  /// Four characters that name the coding; `lpcm` is the only one that can be read.
  package var coding: String
  /// Samples of each channel in a second, Hz.
  package var rate: Double
  /// Channels, interleaved.
  package var channels: Int
  /// Bits of a sample as stored.
  package var bits: Int
  /// Whether samples are floating-point numbers.
  package var isFloat: Bool
  /// Whether the lowest byte comes first.
  package var isLittleEndian: Bool
  /// Bytes of one sample of all channels.
  package var bytesPerFrame: Int
  /// Frames of one packet; 1 for PCM.
  package var framesPerPacket: Int
  /// Offset of the first sample in the file.
  package var dataOffset: Int64
  /// Bytes of samples that the header states; `nil` for all that are there.
  package var statedBytes: Int64?
  /// Bytes of samples that are there.
  package var presentBytes: Int64

  /// Facts from their values.
  package init(
    coding: String = "lpcm", rate: Double, channels: Int, bits: Int = 24, isFloat: Bool = false,
    isLittleEndian: Bool = true, bytesPerFrame: Int, framesPerPacket: Int = 1,
    dataOffset: Int64 = 0, statedBytes: Int64?, presentBytes: Int64
  ) {
    (self.coding, self.rate, self.channels, self.bits) = (coding, rate, channels, bits)
    (self.isFloat, self.isLittleEndian) = (isFloat, isLittleEndian)
    (self.bytesPerFrame, self.framesPerPacket) = (bytesPerFrame, framesPerPacket)
    (self.dataOffset, self.statedBytes, self.presentBytes) = (dataOffset, statedBytes, presentBytes)
  }

  /// Samples of each channel.
  package var frames: Int64 { (statedBytes ?? presentBytes) / Int64(max(1, bytesPerFrame)) }

  /// Checks that the sound is what a root and its events say.
  /// - Parameters:
  ///   - count: channels that the root declares.
  ///   - rate: rate that the events state, Hz.
  ///   - file: name of the sound's file.
  ///   - log: gets what is taken leniently.
  /// - Throws: ``DAMFError`` of code `audioFormat`, `audioChannels`, `rateMismatch` or `audioShort`.
  package func check(
    channels count: Int, rate: Int, file: String, log: DAMFLog
  ) throws(DAMFError) {
    let place = DAMFPlace(file)
    try checkForm(place)
    guard channels == count else {
      throw DAMFError(
        .audioChannels,
        "the sound has \(channels) channels, and the root declares \(count); give files of one export",
        at: place)
    }
    guard self.rate == Double(rate) else {
      throw DAMFError(
        .rateMismatch,
        "the sound has \(self.rate) Hz, and the events \(rate) Hz; give files of one export",
        at: place)
    }
    if rate != 48_000, rate != 96_000 {
      log.note(
        .unusualRate, at: place, "\(rate) Hz is unusual for a master; it is rendered at that rate")
    }
    try checkLength(place, log)
  }

  private func checkForm(_ place: DAMFPlace) throws(DAMFError) {
    let isKnown =
      coding == "lpcm" && framesPerPacket == 1 && channels > 0
      && (isFloat ? [32, 64].contains(bits) : [16, 24, 32].contains(bits))
    // Programs that state too few channels state the bytes of so few, so that the two agree.
    guard isKnown, bytesPerFrame == channels * bits / 8 else {
      throw DAMFError(
        .audioFormat,
        "the sound is \(coding) of \(bits) bits in \(bytesPerFrame) bytes for \(channels) channels, "
          + "which can't be read; export it as PCM of 24 bits", at: place)
    }
  }

  private func checkLength(_ place: DAMFPlace, _ log: DAMFLog) throws(DAMFError) {
    let size = Int64(bytesPerFrame)
    guard let statedBytes else {
      if presentBytes % size != 0 {
        log.note(.cutFrame, at: place, "the sound ends within a frame, which isn't used")
      }
      return
    }
    guard statedBytes <= presentBytes else {
      throw DAMFError(
        .audioShort,
        "the header states \(statedBytes / size) frames, and the file ends within frame "
          + "\(presentBytes / size), counted from 0; copy the file again", at: place)
    }
    guard statedBytes % size == 0 else {
      throw DAMFError(
        .audioFormat, "the stated \(statedBytes) bytes aren't whole frames of \(size)", at: place)
    }
  }
}

/// Reads the header of a CAF file (Core Audio Format, version 1). Its own numbers have the highest byte first.
package enum CAFHeader {
  /// Chunks that are walked over at most.
  private static let mostChunks = 4096
  private static let headBytes: Int64 = 12
  private static let descriptionBytes = 32
  /// Bytes of the count of edits before the samples.
  private static let editBytes: Int64 = 4

  /// The facts of `source`, the file named `file`.
  /// - Throws: ``DAMFError`` of code `audioFormat` for a file that isn't CAF, or lacks a chunk.
  package static func read(_ source: ByteSource, file: String) throws(DAMFError) -> CAFFacts {
    let head = source.bytes(at: 0, count: 8)
    guard head.starts(with: "caff".utf8), head.bigEndian16(at: 4) == 1 else {
      throw fault("isn't a CAF file of version 1", file)
    }
    var description: [UInt8]?
    var place: Int64 = 8
    for _ in 0..<mostChunks {
      let chunk = source.bytes(at: place, count: Int(headBytes))
      guard chunk.count == Int(headBytes) else { throw fault("has no data chunk", file) }
      let size = Int64(bitPattern: chunk.bigEndian64(at: 4))
      place += headBytes
      if chunk.starts(with: "data".utf8) {
        guard let description else { throw fault("has no desc chunk before its data", file) }
        return try facts(description, source, at: place, size: size, file)
      }
      if chunk.starts(with: "desc".utf8) {
        description = source.bytes(at: place, count: descriptionBytes)
        guard size == descriptionBytes, description?.count == descriptionBytes else {
          throw fault("has a desc chunk of \(size) bytes", file)
        }
      }
      guard size >= 0 else { throw fault("has a chunk of negative size", file) }
      place = Saturating.sum(place, size)
    }
    throw fault("has more than \(mostChunks) chunks", file)
  }

  private static func facts(
    _ description: [UInt8], _ source: ByteSource, at place: Int64, size: Int64, _ file: String
  ) throws(DAMFError) -> CAFFacts {
    // A size of −1 lasts to the end of the file.
    guard size >= editBytes || size == -1 else {
      throw fault("has a data chunk of \(size) bytes", file)
    }
    let number = { (offset: Int) in Int(description.bigEndian32(at: offset)) }
    let flags = number(12)
    return CAFFacts(
      coding: String(decoding: description[8..<12], as: UTF8.self),
      rate: Double(bitPattern: description.bigEndian64(at: 0)), channels: number(24),
      bits: number(28), isFloat: flags & 1 != 0, isLittleEndian: flags & 2 != 0,
      bytesPerFrame: number(16), framesPerPacket: number(20), dataOffset: place + editBytes,
      statedBytes: size == -1 ? nil : size - editBytes,
      presentBytes: max(0, source.size - place - editBytes))
  }

  private static func fault(_ text: String, _ file: String) -> DAMFError {
    DAMFError(
      .audioFormat, "the sound \(text); export it as PCM in CAF", at: DAMFPlace(file))
  }
}
