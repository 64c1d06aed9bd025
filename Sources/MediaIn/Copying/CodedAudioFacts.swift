import AC4
import AudioCore
import IAMF
import ISOBMFF

/// Facts of a track that is copied, from its first frame and its container.
package struct CodedAudioFacts {
  /// Payload of `dac3`, `dec3`, `dac4`, `mhaC` or `iacb`; empty where the frames hold it.
  package let configuration: [UInt8]
  /// Channels to state in the sample entry, LFE included.
  package let channels: Int
  /// Sample rate, Hz.
  package let sampleRate: Int
  /// The codec as HLS and MIME types name it (RFC 6381).
  package let codec: String
  /// Complexity index of joint object coding (ETSI TS 103 420, 8.3); 0 for none.
  package let objectComplexity: Int
  /// Dialogue normalisation in dB relative to full scale; `nil` for AC-4, whose header isn't searched.
  package let dialnorm: Int?

  /// The facts of a track whose first frame is `first`.
  /// - Throws: ``MediaError`` when the frame can't be read.
  static func read(
    _ choice: CopyChoice, _ source: any AccessUnitSource, first: [UInt8], path: String
  ) throws -> CodedAudioFacts {
    if let units = source as? IAMFCopyUnits { return CodedAudioFacts(units) }
    switch choice.coding {
    case .mpegH(let form): return CodedAudioFacts(mpegH: choice, form, first)
    case .dolby(.ac4): return try CodedAudioFacts(ac4: choice, first, path)
    case .dolby, .iamf: return try CodedAudioFacts(dolby: choice, first, path)
    }
  }

  private init(_ units: IAMFCopyUnits) {
    configuration = ConfigurationBox(configOBUs: units.descriptors).content
    let elements = units.description.playableMixes.first?.elements ?? []
    channels = elements.reduce(0) {
      $0 + (units.description.playableElements[$1.id]?.decodedCount ?? 0)
    }
    sampleRate = Int(units.timescale)
    codec = units.description.codecsText
    objectComplexity = 0
    dialnorm = nil
  }

  private init(mpegH choice: CopyChoice, _ form: MPEGHSampleEntry.Form, _ first: [UInt8]) {
    let facts = MPEGHConfiguration(mhaC: choice.configuration) ?? MPEGHConfiguration(packets: first)
    configuration = choice.configuration ?? []
    channels = facts?.channels ?? choice.stream.sound.channels
    sampleRate = choice.stream.sound.sampleRate
    // The level is written with its hexadecimal number (ISO/IEC 23008-3, 21.2).
    let level = facts.map {
      ".0x" + String($0.level + 0x100, radix: 16, uppercase: true).dropFirst()
    }
    codec = form.rawValue + (level ?? "")
    objectComplexity = 0
    dialnorm = nil
  }

  private init(dolby choice: CopyChoice, _ first: [UInt8], _ path: String) throws {
    var units = DolbyAccessUnits()
    _ = units.push(first) + units.finish()
    guard let frame = units.frames.first, let made = DolbyConfiguration.payload(units.frames) else {
      throw MediaError(.damaged, about: path, "its first audio frame can't be read")
    }
    configuration = choice.configuration ?? made
    channels = frame.channels
    sampleRate = frame.sampleRate
    codec = choice.coding.name
    objectComplexity = units.frames.compactMap(\.header.objectComplexity).max() ?? 0
    dialnorm = frame.header.dialnorm
  }

  private init(ac4 choice: CopyChoice, _ first: [UInt8], _ path: String) throws {
    do {
      let contents = try AC4TableOfContents(rawFrame: first)
      let description =
        try choice.configuration.map { bytes throws(AC4Error) in
          try AC4SpecificConfiguration(dac4: bytes)
        }
        ?? AC4SpecificConfiguration(rawFrame: first)
      configuration = choice.configuration ?? description.dac4
      codec = description.codecString
      let main = contents.defaultPresentation.map { contents.presentations[$0] }
      channels = main.flatMap { contents.channelMode(of: $0) }?.channels ?? 2
      sampleRate = contents.frameRate.sampleRate
      objectComplexity = 0
      dialnorm = nil
    } catch let error as AC4Error {
      throw MediaError(error.mediaError.kind, "\(path): \(error)")
    }
  }
}
