// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska

/// A track as it is handed to the writer of any container.
package struct OutputTrackFacts: Sendable {
  package enum Kind: Sendable {
    case sound, pictures, subtitles, chapters
    /// Kinds that only Matroska has.
    case other
  }

  /// Purposes that a container states of a track.
  package struct Roles: OptionSet, Sendable {
    package let rawValue: Int

    /// The track plays unless the user chooses otherwise.
    package static let main = Roles(rawValue: 1)
    /// Texts of it are shown though nobody asked for them.
    package static let forced = Roles(rawValue: 2)
    package static let commentary = Roles(rawValue: 4)
    package static let hearingImpaired = Roles(rawValue: 8)
    package static let visualImpaired = Roles(rawValue: 16)
    /// The language of the content's making.
    package static let original = Roles(rawValue: 32)

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Purposes that the container of `stream` states, apart from the default.
    package init(marking stream: StreamInfo) {
      let marks: [(String, Roles)] = [
        ("forced", .forced), ("comment", .commentary), ("hearing_impaired", .hearingImpaired),
        ("visual_impaired", .visualImpaired),
      ]
      self = Roles(marks.filter { stream.dispositions.contains($0.0) }.map(\.1))
      if stream.isOriginal { insert(.original) }
    }
  }

  /// Size and orientation of pictures.
  package struct Picture: Sendable {
    /// Pixels.
    package var width: Int
    package var height: Int
    /// Transformation for display: the nine numbers of `tkhd`; `nil` for none.
    package var displayMatrix: [Int32]?

    /// Pictures of this size.
    package init(width: Int, height: Int, displayMatrix: [Int32]? = nil) {
      self.width = width
      self.height = height
      self.displayMatrix = displayMatrix
    }
  }

  package var kind: Kind
  package var coding: TrackCoding
  /// Ticks a second of all its times, 1…4294967295; the sample rate for sound.
  package var timescale: Int
  /// Ticks of its media before the presented part, 0…2^60: of sound exactly the encoder's start-up samples, of pictures the
  /// delay by reordering.
  package var priming: Int64
  /// Whether readers are to skip those ticks; `false` only for Opus for a browser's MediaSource: browsers drop the
  /// pre-skip of Opus already, and would drop as much again. Other readers then play it.
  package var statesPriming = true
  /// Ticks that are presented, 0…2^60: of sound exactly its valid samples.
  package var length: Int64
  /// Ticks by which it begins later than the earliest track, 0…2^60.
  package var startOffset: Int64
  /// Ticks that each sample lasts, but for the last one; `nil` where that varies.
  package var frame: Int?
  /// Ticks of which the distances between its samples are multiples, where they vary.
  package var grid: Int64 = 1
  /// Samples that it will have at most; `nil` where that isn't known beforehand.
  package var mostSamples: Int?
  package var roles: Roles = .main
  /// Language: a code of ISO 639-2/T or a tag of BCP 47; empty when unknown.
  package var language = ""
  /// Name that users give it, e.g. `English 5.1`; `nil` without a name.
  package var name: String?
  /// Program that made it, where the file says that of each track; `nil` where the file's maker made it.
  package var maker: String?
  /// `nil` where nothing is seen.
  package var picture: Picture?
  /// Samples to be decoded before one whose output is wanted, negative, as ``EncodingTraits/rollDistance(frame:)`` gives it;
  /// `nil` where each can be decoded alone.
  package var rollDistance: Int?
  /// Loudness, where known.
  package var loudness: LoudnessBox?

  /// A track that plays by default, in an unknown language.
  package init(
    _ kind: Kind, _ coding: TrackCoding, timescale: Int, priming: Int64 = 0, length: Int64,
    startOffset: Int64 = 0
  ) {
    self.kind = kind
    self.coding = coding
    self.timescale = timescale
    self.priming = priming
    self.length = length
    self.startOffset = startOffset
  }

  /// Whether it is copied from one file of Matroska into another.
  package var isOriginal: Bool {
    if case .matroska = coding { return true }
    return false
  }

  /// This track, with the part of its priming that fits into its start offset as presented media.
  ///
  /// Readers play start-up samples that lie after the presentation's beginning, even if they are told to skip them; Chromium
  /// then counts them twice. The first valid sample keeps its time.
  var withPresentedPriming: OutputTrackFacts {
    guard kind == .sound, statesPriming else { return self }
    let presented = min(startOffset, priming)
    var track = self
    track.startOffset -= presented
    track.priming -= presented
    track.length += presented
    return track
  }

  /// The time by which a sample belongs to a fragment or cluster. Sound and texts count by their presentation.
  /// Pictures are presented in another order than decoded, so each counts as if its composition
  /// offset were the reorder delay. Chapters count as the earliest, so that all of them lie in the first
  /// fragment, where readers find them without reading on.
  func instant(_ sample: MediaSample) -> MediaTime {
    guard kind != .chapters else { return MediaTime(ticks: -(1 << 60), rate: 1) }
    let delay = kind == .pictures ? 0 : priming
    return MediaTime(
      ticks: startOffset + sample.decodeTime - delay, rate: Int64(timescale))
  }
}

/// The codec of a track, with what its decoders must know.
package enum TrackCoding: Sendable {
  /// Sound that was encoded; the configuration is the one that libavcodec states.
  case encoded(EncodedSound)
  /// AC-3, E-AC-3 or AC-4; the configuration is the content of `dac3`, `dec3` or `dac4`.
  case dolby(DolbySampleEntry.Coding, CodedSound)
  /// AAC that is copied; the configuration is AudioSpecificConfig.
  case aac(CodedSound)
  /// MPEG-H 3D Audio; the configuration is the content of `mhaC`.
  case mpegH(MPEGHSampleEntry.Form, CodedSound)
  /// IAMF; the configuration is the content of `iacb`.
  case iamf(configuration: [UInt8])
  /// Pictures; the entry holds the decoder's configuration, and colours and HDR where they are known.
  case pictures(VisualSampleEntry)
  /// Texts with times, as ``TimedTextSampleEntry/sample(_:)`` makes their samples.
  case timedText
  /// Texts with times in UTF-8, with bold, italic and underlined characters between tags as SubRip has them.
  case plainText
  /// Texts with times, as ``WebVTT/block(_:)`` makes their samples.
  case webVTT
  /// Titles, as ``ChapterSampleEntry/sample(_:)`` makes their samples.
  case titles
  /// Anything from a file of Matroska, for another one; the entry is written as it was read.
  case matroska(MatroskaTrackEntry)

  /// Sound whose frames are copied.
  package struct CodedSound: Sendable {
    package var configuration: [UInt8]
    package var channels: Int
    package var sampleRate: Int
    /// Whether its two channels are known to be for headphones.
    package var isBinaural = false

    package init(configuration: [UInt8], channels: Int, sampleRate: Int) {
      self.configuration = configuration
      self.channels = channels
      self.sampleRate = sampleRate
    }
  }

  /// Sound as it was encoded.
  package struct EncodedSound: Sendable {
    package var codec: AudioEncoding
    package var configuration: [UInt8]
    package var format: AudioFormat
    /// Bits of a sample of a lossless codec.
    package var bits: Int
    /// Bit/s that the encoder aims at; 0 when lossless.
    package var bitRate: Int
    /// Whether the two channels are made for headphones.
    package var isBinaural: Bool
  }
}

/// One coded sample (packet, access unit) of a track.
package struct MediaSample: Sendable {
  /// Its bytes.
  package var data: [UInt8]
  /// When it is decoded, in track ticks from 0 at the track's first sample; the writer adds the
  /// track's start offset. Strictly ascending.
  package var decodeTime: Int64
  /// Ticks it lasts, 1…4294967295. The time to the next sample counts; this is used for
  /// the last one.
  package var duration: Int64
  /// Ticks from decoding to presentation, 0…4294967295.
  package var compositionOffset: Int64
  /// Whether decoding may begin here.
  package var isSync: Bool
  /// The frame of Matroska that it is copied from, with all that its block says; `nil` for others.
  package var frame: MatroskaFrame?

  /// A sample of the given facts.
  package init(
    data: [UInt8], decodeTime: Int64, duration: Int64, compositionOffset: Int64 = 0,
    isSync: Bool = true
  ) {
    self.data = data
    self.decodeTime = decodeTime
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}

/// Tracks whose samples are coded already and lie in one order: they are pulled while their file is written.
package protocol CodedTracks: AnyObject {
  /// File and tracks, for messages.
  var name: String { get }

  var tracks: [OutputTrackFacts] { get }

  /// The next sample of any track, with the track's place among ``tracks``; `nil` after the last. The samples of one track come in decoding
  /// order.
  /// - Throws: ``MediaError`` when it can't be read.
  func nextOfAll() throws -> (track: Int, sample: MediaSample)?
}

/// One such track.
package protocol CodedTrack: CodedTracks {
  var facts: OutputTrackFacts { get }

  /// The next sample in decoding order; `nil` after the last.
  /// - Throws: ``MediaError`` when it can't be read.
  func next() throws -> MediaSample?
}

extension CodedTrack {
  package var tracks: [OutputTrackFacts] { [facts] }

  package func nextOfAll() throws -> (track: Int, sample: MediaSample)? {
    try next().map { (0, $0) }
  }
}

/// A track that is encoded while its file is written: samples are pushed into it, coded ones come out.
package protocol PushedTrack: AnyObject {
  /// Its facts, known before the first sample.
  var facts: OutputTrackFacts { get }
  /// The codec as HLS and MIME types name it (RFC 6381).
  var codec: String { get }
  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  var clippedSamples: Int64 { get }
  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  var stored: AudioBuffer? { get }

  /// Adds `buffer` and encodes as many whole frames as there are now.
  /// - Throws: ``MediaError`` or an encoder's error.
  func encode(_ buffer: AudioBuffer) throws -> [MediaSample]

  /// Encodes the rest.
  /// - Throws: as ``encode(_:)``.
  func finish() throws -> [MediaSample]
}

/// The titles of chapters as a track of QuickTime: one sample for each chapter, which lasts until the next one
/// begins. The sound's track refers to it, so that players list the titles; nothing draws it.
///
/// Players read it besides `chpl`, which holds 255 chapters at most.
package final class ChapterTrack: CodedTrack {
  /// Chapters that players see without this track.
  package static let limitWithout = 255

  package let name = "the track of chapters"
  package let facts: OutputTrackFacts
  private var samples: ArraySlice<MediaSample>

  /// A track of `markers`, which are in order and at different samples of `rate` Hz; the last one lasts to
  /// `end`, or one sample where it begins later.
  ///
  /// `nil` without markers, and where a chapter lasts longer than a sample of MP4 can: 2^32 − 1 ticks, a day at
  /// 48 kHz.
  package init?(_ markers: [ProgrammeMarker], rate: Int, end: MediaTime) {
    let starts = markers.map { max(0, $0.time.samples(at: rate)) }
    guard let first = starts.first, let last = starts.last else { return nil }
    let ends = starts.dropFirst() + [max(last + 1, end.samples(at: rate))]
    guard zip(starts, ends).allSatisfy({ (1...Int64(UInt32.max)).contains($1 - $0) }) else {
      return nil
    }
    samples =
      zip(markers, zip(starts, ends)).map { marker, times in
        MediaSample(
          data: ChapterSampleEntry.sample(marker.title), decodeTime: times.0 - first,
          duration: times.1 - times.0)
      }[...]
    var facts = OutputTrackFacts(
      .chapters, .titles, timescale: rate, length: (ends.last ?? last) - first, startOffset: first)
    facts.roles = []
    facts.mostSamples = samples.count
    self.facts = facts
  }

  /// The next chapter.
  package func next() -> MediaSample? { samples.popFirst() }
}
