// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska
import MediaIn
import MediaOut

/// How the frames of a stream stand in Matroska (RFC 9559's codec mappings).
struct MatroskaForm: Equatable {
  /// Why a stream has no form, as the end of a sentence.
  struct Misfit: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private(set) var codecID: String
  /// CodecPrivate; `nil` for none, and where it comes of the frames.
  var codecPrivate: [UInt8]?
  var form = PacketForm.asStored
  /// Bits of a sample, where the codec leaves none out.
  var bitDepth: Int?
  /// Time to be decoded in front of a place that is sought.
  var preRoll = MediaTime(ticks: 0, rate: 1)

  private init(_ codecID: String, _ codecPrivate: [UInt8]? = nil) {
    self.codecID = codecID
    self.codecPrivate = codecPrivate
  }

  /// Identifiers of codecs whose frames need nothing else.
  private static let plain = [
    "ac3": "A_AC3", "eac3": "A_EAC3", "truehd": "A_TRUEHD", "mlp": "A_MLP", "dts": "A_DTS",
    "mp1": "A_MPEG/L1", "mp2": "A_MPEG/L2", "mp3": "A_MPEG/L3",
  ]
  /// Plain samples: identifier and bits.
  private static let samples: [String: (id: String, bits: Int)] = [
    "pcm_u8": ("A_PCM/INT/LIT", 8), "pcm_s16le": ("A_PCM/INT/LIT", 16),
    "pcm_s24le": ("A_PCM/INT/LIT", 24), "pcm_s32le": ("A_PCM/INT/LIT", 32),
    "pcm_s16be": ("A_PCM/INT/BIG", 16), "pcm_s24be": ("A_PCM/INT/BIG", 24),
    "pcm_s32be": ("A_PCM/INT/BIG", 32), "pcm_f32le": ("A_PCM/FLOAT/IEEE", 32),
    "pcm_f64le": ("A_PCM/FLOAT/IEEE", 64),
  ]
  /// Bytes of the MP4 box around ALAC's cookie in libavcodec's configuration.
  private static let cookieBox = 12

  /// The form of a stream of sound, or of subtitles that are pictures or have styles. `entry` describes it in a file of Matroska that
  /// can be read.
  static func of(
    _ stream: StreamInfo, _ entry: MatroskaTrackEntry?, isMatroska: Bool
  ) throws(Misfit) -> MatroskaForm {
    var form = try stream.kind == .audio ? sound(stream) : subtitles(stream, isMatroska)
    // Blocks of Matroska have the form already, and its header may say more than libavformat hands out.
    if isMatroska, [.adts, .displaySets].contains(form.form) { form.form = .asStored }
    if let entry { (form.codecID, form.codecPrivate) = (entry.codecID, entry.codecPrivate) }
    return form
  }

  private static func sound(_ stream: StreamInfo) throws(Misfit) -> MatroskaForm {
    let head = stream.extradata
    if let id = plain[stream.codec] { return MatroskaForm(id) }
    if let (id, bits) = samples[stream.codec] {
      var form = MatroskaForm(id)
      form.bitDepth = bits
      form.form = .samples(bytes: bits / 8 * stream.sound.channels)
      return form
    }
    switch stream.codec {
    case "aac":
      var form = MatroskaForm("A_AAC", head.isEmpty ? nil : head)
      if head.isEmpty { form.form = .adts }
      return form
    case "opus" where head.count >= 19 && head.starts(with: "OpusHead".utf8):
      var form = MatroskaForm("A_OPUS", head)
      form.preRoll = MediaTime(ticks: 80, rate: 1000)
      return form
    // Three headers with the lengths of the first two, as in Ogg.
    case "vorbis" where head.first == 2: return MatroskaForm("A_VORBIS", head)
    case "flac" where head.count == 34:
      // The stream's marker, and STREAMINFO as the last of its metadata blocks (RFC 9639, 8).
      var form = MatroskaForm("A_FLAC", Array("fLaC".utf8) + [0x80, 0, 0, 34] + head)
      form.bitDepth = stream.sound.bitsPerSample
      return form
    case "alac" where head.count >= cookieBox + 24:
      var form = MatroskaForm("A_ALAC", Array(head.dropFirst(cookieBox)))
      form.bitDepth = stream.sound.bitsPerSample
      return form
    case "opus", "vorbis", "flac", "alac":
      throw Misfit("its codec header isn't one that Matroska takes")
    default: throw Misfit("Matroska has no place for \(stream.codec)")
    }
  }

  private static func subtitles(
    _ stream: StreamInfo, _ isMatroska: Bool
  ) throws(Misfit) -> MatroskaForm {
    let head = stream.extradata
    switch stream.codec {
    case "hdmv_pgs_subtitle":
      var form = MatroskaForm("S_HDMV/PGS")
      form.form = .displaySets
      return form
    case "dvb_subtitle":
      // Pages of composition and of what it shares, two bytes each, and the type; one PID may have several.
      guard head.count >= 4 else { throw Misfit("its pages aren't stated") }
      return MatroskaForm("S_DVBSUB", Array(head.prefix(5)))
    case "dvd_subtitle":
      guard isMatroska || String(decoding: head, as: UTF8.self).contains("palette:") else {
        throw Misfit("its colours aren't stated")
      }
      return MatroskaForm("S_VOBSUB", head)
    case "ass", "ssa":
      // libavformat hands out what lies in the file, and only Matroska's blocks have Matroska's form.
      guard isMatroska else { throw Misfit("only Matroska's own has the form of Matroska") }
      return MatroskaForm("S_TEXT/ASS", head)
    default: throw Misfit("Matroska has no place for \(stream.codec)")
    }
  }
}

extension MatroskaTrackEntry {
  /// The entry of a stream that another container describes.
  init(_ stream: StreamInfo, _ form: MatroskaForm, number: Int, title: String?) {
    self.init(
      number: number, kind: stream.kind == .audio ? .audio : .subtitle, codecID: form.codecID)
    // Of several languages, a track has the first.
    let tag = stream.language.flatMap { $0.split(separator: ",").first }
      .flatMap { LanguageTag(String($0)) }
    language = MatroskaTrackEntry.bibliographic(tag)
    languageBCP47 = tag?.text
    name = title
    isDefault = stream.isDefault
    roles = Roles(OutputTrackFacts.Roles(marking: stream))
    seekPreRoll = form.preRoll
    guard stream.kind == .audio else { return }
    sound = Sound(
      rate: Double(stream.sound.sampleRate), channels: stream.sound.channels,
      bitDepth: form.bitDepth.flatMap { $0 > 0 ? $0 : nil })
  }
}
