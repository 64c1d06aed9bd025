// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// A track that is copied is opened, refused and remarked upon as one that is decoded.
@Suite(.tags(.system), .fullRunOnly) struct CopyOrDecodeTests {
  /// The outcome for a file.
  enum Outcome: Sendable {
    case refused(MediaError.Kind)
    /// Read, with these degradations; `samples` of it are presented, where that matters.
    case read(Set<String> = [], samples: Int? = nil)
  }

  /// A file made by ffmpeg and changed afterwards.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    let arguments: [String]
    var name: String?
    var track = TrackChoice.automatic
    let outcome: Outcome
    let change: @Sendable (inout Data) throws -> Void

    init(
      _ description: String, _ file: String, codec: String = "ac3", options: [String] = [],
      name: String? = nil, track: TrackChoice = .automatic, _ outcome: Outcome,
      _ change: @escaping @Sendable (inout Data) throws -> Void = { _ in }
    ) {
      testDescription = description
      self.file = file
      arguments = ["-c:a", codec] + options
      self.name = name
      self.track = track
      self.outcome = outcome
      self.change = change
    }

    func made() throws -> MadeMedia {
      let made = try MadeMedia(file, arguments).altered(change)
      return try name.map { try MadeMedia($0, bytes: made.bytes()) } ?? made
    }
  }

  /// The basis for a copy of a whole track.
  private struct Copy {
    let survey: CodedAudioSurvey
    let log = DiagnosticLog()

    init(_ media: MadeMedia, _ options: InputOptions) throws {
      LibAVLog.install()
      survey = try withExtendedLifetime(media.folder) { [log] in
        try CodedAudioSurvey(
          file: MediaFile.locate(media.path), options: options, from: nil, to: nil, log: log)
      }
    }
  }

  private static let key = [
    "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
    "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
  ]
  private static let fragments = [
    "-movflags", "frag_keyframe+delay_moov+default_base_moof", "-frag_duration", "300000",
  ]
  /// The rate of an edit that plays the media as it is.
  private static let normal = 0x10000

  private static let edits = [
    Row("edit at double speed", "a.mp4", .refused(.unsupportedFeature), list([(2000, 0, 0x20000)])),
    Row("edit that stands still", "a.mp4", .refused(.unsupportedFeature), list([(2000, 0, 0)])),
    Row(
      "edits that rearrange", "a.mp4", .refused(.unsupportedFeature),
      list([(500, 24_000, normal), (500, 0, normal)])),
    Row(
      "pause between edits", "a.mp4", .refused(.unsupportedFeature),
      list([(500, 0, normal), (200, -1, normal), (500, 24_000, normal)])),
    Row(
      "edit behind one to the end", "a.mp4", .refused(.unsupportedFeature),
      list([(0, 0, normal), (500, 0, normal)])),
    Row(
      "edits that go on", "a.mp4", .read(samples: 48_000),
      list([(500, 4800, normal), (500, 28_800, normal)])),
    Row(
      "edits that go on behind silence", "a.mp4", .read(samples: 48_000),
      list([(500, -1, normal), (500, 4800, normal), (500, 28_800, normal)])),
    Row(
      "edit at a negative time", "a.mp4", .read(["edit-list-ignored"]), list([(500, -5, normal)])),
    Row("empty edit alone", "a.mp4", .read(["edit-list-ignored"]), list([(500, -1, normal)])),
  ]

  private static let headers = [
    Row("encrypted", "a.mp4", options: key, .refused(.encrypted)),
    Row("sample entry of no known codec", "a.mp4", .refused(.unsupportedCodec)) {
      try put(Array("xx-3".utf8), in: &$0, at: place(of: "ac-3", in: $0))
    },
    Row("track that isn't there", "a.mp4", track: .index(1), .refused(.usage)),
    Row("language that isn't there", "a.ac3", track: .languages(["de"]), .refused(.usage)),
    Row("0 channels", "a.mp4", .read(["header-inconsistent"])) {
      try put([0, 0], in: &$0, at: place(of: "ac-3", in: $0) + 20)
    },
    Row("box to the end inside the movie box", "a.mp4", .read(["header-inconsistent"])) {
      try put([0, 0, 0, 0], in: &$0, at: place(of: "udta", in: $0) - 4)
    },
    Row("another container's name", "a.mp4", name: "a.mkv", .read()),
    Row("length left open", "a.wav", .read(["size-unknown"])) {
      try put([0xFF, 0xFF, 0xFF, 0xFF], in: &$0, at: place(of: "data", in: $0) + 4)
    },
    Row("another file behind the end", "a.wav", .read(["trailing-data"])) { $0 += $0 },
    Row("other bytes behind the end", "a.wav", .read()) { $0 += Data(count: 160) },
  ]

  private static let damage =
    ["a.mp4", "a.mkv", "a.ts", "a.wav", "a.ac3"].map { file in
      Row("damaged frame in \(file)", file, .refused(.damaged), flip)
    } + [
      Row("damaged frame of E-AC-3", "a.eac3", codec: "eac3", .refused(.damaged), flip),
      Row("cut a.ts", "a.ts", .read(["truncated"])) { data in
        // A thousand bytes behind the beginning of a packet of the stream, which holds several frames.
        let middle = data.count / 2
        let start = try #require(data.range(of: Data([0, 0, 1, 0xBD]), in: middle..<data.count))
        data = data.prefix(start.lowerBound + 1000)
      },
      Row("junk in front", "a.ac3", .read(["damaged-start"])) { $0 = Data(1..<200) + $0 },
      Row("missing fragment", "a.mp4", options: fragments, .read(["timestamp-gap"]), delay),
    ]
    + [
      ("a.ac3", []), ("a.wav", []), ("a.mkv", []),
      ("a.mp4", ["-movflags", "faststart"]), ("a.mp4", fragments),
    ].map { (file: String, options: [String]) in
      Row(
        "cut \(file) \(options.joined(separator: " "))", file, options: options,
        .read(["truncated"])
      ) {
        $0 = $0.prefix($0.count * 2 / 3 + 11)
      }
    }

  @Test("a copy is refused and remarked upon as a decode is", arguments: edits + headers + damage)
  func bothSayTheSame(row: Row) throws {
    let media = try row.made()
    var options = InputOptions()
    options.track = row.track
    switch row.outcome {
    case .refused(let kind):
      #expect(media.failure(options)?.kind == kind, "decoding")
      let failure = #expect(throws: MediaError.self) { try Copy(media, options) }
      #expect(failure?.kind == kind, "copying")
    case .read(let kinds, let samples):
      let decoded = try media.decode(options)
      let copy = try Copy(media, options)
      // A copy leaves the start-up samples as they are.
      #expect(decoded.kinds.subtracting(["start-up-uncertain"]) == kinds, "decoding")
      #expect(Set(copy.log.degradations.map(\.code.rawValue)) == kinds, "copying")
      let remarks: Set<DecisionCode> = [.track, .container, .trailingData]
      #expect(
        decoded.decisions.filter { remarks.contains($0.code) }.map(\.chose)
          == copy.log.decisions.filter { remarks.contains($0.code) }.map(\.chose))
      guard let samples else { return }
      #expect(decoded.count == samples && copy.survey.validDuration == Int64(samples))
      #expect(copy.survey.start.ticks == decoded.summary.plan.start)
    }
  }

  @Test("junk in front of AC-3 isn't copied, and all of its frames are")
  func framesBehindJunkAreCopied() throws {
    let whole = try MadeMedia("a.ac3", ["-c:a", "ac3"])
    let junk = try whole.altered { $0 = Data(1..<200) + $0 }
    let copies = try [whole, junk].map { try Copy($0, InputOptions()).survey }
    #expect(copies[0].count == copies[1].count && copies[1].skipped > 0)
  }

  private static func place(of text: String, in data: Data) throws -> Int {
    try #require(data.range(of: Data(text.utf8))?.lowerBound)
  }

  private static func put(_ bytes: [UInt8], in data: inout Data, at place: Int) {
    data.replaceSubrange(place..<(place + bytes.count), with: bytes)
  }

  /// Turns a bit in the middle, behind the header of a packet of MPEG-TS.
  private static let flip: @Sendable (inout Data) throws -> Void = { data in
    data[data.count / 2 / 188 * 188 + 100] ^= 0x10
  }

  /// Moves all fragments from the third on by ten frames.
  private static let delay: @Sendable (inout Data) throws -> Void = { data in
    let places = data.indices.filter { data[$0...].starts(with: "tfdt".utf8) }
    for place in places.dropFirst(2) {
      let bytes = (place + 8)..<(place + (data[place + 4] == 1 ? 16 : 12))
      let time = data[bytes].reduce(0) { $0 << 8 | Int($1) } + 15_360
      put(
        (0..<bytes.count).reversed().map { UInt8(time >> (8 * $0) & 0xFF) }, in: &data,
        at: bytes.lowerBound)
    }
    try #require(places.count > 3)
  }

  /// Gives the track these edits: ticks of the movie, media time, and rate.
  private static func list(
    _ edits: [(duration: Int, time: Int, rate: Int)]
  ) -> @Sendable (inout Data) throws -> Void {
    let words = [0, edits.count] + edits.flatMap { [$0.duration, $0.time, $0.rate] }
    let content = words.flatMap { word in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return { data in
      func size(at box: Int) -> Int { data[box..<(box + 4)].reduce(0) { $0 << 8 | Int($1) } }
      func bytes(_ size: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(size >> (8 * $0) & 0xFF) }
      }
      let box = try place(of: "edts", in: data) - 4
      let old = size(at: box)
      let new =
        bytes(content.count + 16) + Array("edts".utf8) + bytes(content.count + 8)
        + Array("elst".utf8) + content
      // The movie box lies behind the samples, whose offsets stay.
      for parent in ["trak", "moov"] {
        let place = try place(of: parent, in: data) - 4
        put(bytes(size(at: place) + new.count - old), in: &data, at: place)
      }
      data.replaceSubrange(box..<(box + old), with: new)
    }
  }
}
