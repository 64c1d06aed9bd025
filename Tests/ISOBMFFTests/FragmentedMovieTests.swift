// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

@Suite struct FragmentedMovieTests {
  private func findings(_ bytes: [UInt8]) -> [MovieFinding] {
    FragmentedMovieCheck(BoxBytes.source(bytes)).findings
  }

  private func codes(_ bytes: [UInt8]) -> Set<MovieFinding.Code> {
    Set(findings(bytes).map(\.code))
  }

  @Test("a written fragmented movie reads back") func whatIsWrittenIsRead() throws {
    let reader = try #require(
      FragmentedMovieReader(BoxBytes.source(try FragmentedMovieBytes.movie())))
    #expect(reader.timescale == 48_000)
    #expect(reader.fragmentDuration == 11_520)
    #expect(reader.duration == 11_520)
    #expect(reader.tracks.map(\.sampleEntry) == ["mp4a", "test"])
    #expect(reader.tracks.map(\.handler) == ["soun", "vide"])
    #expect(reader.tracks.map(\.rollDistance) == [-1, nil])
    #expect(reader.tracks[0].edits == [.init(duration: 8192, mediaTime: 1024)])
    #expect(reader.tracks[0].configuration("esds")?.suffix(5) == [0x80, 0x80, 0x80, 1, 2])
    var fragments: [MovieFragment] = []
    reader.forEachFragment {
      fragments.append($0)
      return true
    }
    #expect(fragments.map(\.sequenceNumber) == [1, 2, 3])
    #expect(fragments.map { $0.tracks[0].baseDecodeTime } == [0, 3072, 6144])
    #expect(fragments.allSatisfy { $0.tracks[0].duration == 3072 })
    let pictures = try #require(fragments.last?.tracks.last)
    #expect(
      pictures.samples.map(\.sample) == [
        FragmentSample(size: 20, duration: 1, compositionOffset: 1),
        FragmentSample(size: 9, duration: 1, compositionOffset: 2, isSync: false),
      ])
    for fragment in fragments {
      let data = try #require(fragment.data)
      #expect(fragment.tracks[0].extents == [.init(offset: data.payload, size: 18)])
      #expect(fragment.tracks[1].extents == [.init(offset: data.payload + 18, size: 29)])
    }
  }

  /// The last fragment's time counts, beyond 32 bits too, with the durations that its samples state.
  @Test("a track ends with its last sample, also beyond 32 bits")
  func aTrackEndsWithItsLastSample() throws {
    let whole = try #require(
      FragmentedMovieReader(BoxBytes.source(try FragmentedMovieBytes.movie())))
    #expect(whole.length(ofTrack: 1)?.ticks == 9216)
    #expect(whole.length(ofTrack: 2)?.ticks == 6)
    #expect(whole.length(ofTrack: 3)?.ticks == nil)
    for start in [0, 1 << 32 - 1, 1 << 32, 1 << 40] as [Int64] {
      let bytes = try FragmentedMovieBytes.movie { fragment, number in
        fragment.tracks[0].baseDecodeTime += start
        if number == 2 { fragment.tracks[0].samples[2].duration = 912 }
      }
      let reader = try #require(FragmentedMovieReader(BoxBytes.source(bytes)))
      #expect(reader.length(ofTrack: 1)?.ticks == start + 9216 - 112)
      var times: [Int64?] = []
      reader.forEachFragment {
        times.append($0.tracks[0].baseDecodeTime)
        return true
      }
      #expect(times == [start, start + 3072, start + 6144])
    }
  }

  /// In version 1 of `trun` composition offsets have a sign, in version 0 they don't.
  @Test(
    "composition offsets have a sign in version 1 of trun and none in version 0",
    arguments: [(0, 4_294_966_784), (1, -512)] as [(UInt8, Int64)])
  func compositionOffsetsMayBeNegative(version: UInt8, offset: Int64) throws {
    var bytes = try FragmentedMovieBytes.movie(fragments: 1)
    let name = Array("trun".utf8)
    let runs = bytes.indices.dropLast(4).filter { Array(bytes[$0..<($0 + 4)]) == name }
    let place = try #require(runs.last) + 4
    #expect(runs.count == 2)
    bytes[place] = version
    // The last field of the last sample is its composition offset. The box begins with its length.
    let last = place - 8 + Int(bytes.bigEndian32(at: place - 8)) - 4
    #expect(Array(bytes[last..<(last + 4)]) == [0, 0, 0, 2])
    bytes.replaceSubrange(last..<(last + 4), with: [0xFF, 0xFF, 0xFE, 0x00])
    let reader = try #require(FragmentedMovieReader(BoxBytes.source(bytes)))
    var offsets: [Int64] = []
    reader.forEachFragment {
      offsets += $0.tracks[1].samples.map(\.sample.compositionOffset)
      return true
    }
    #expect(offsets == [1, offset])
  }

  @Test("written movies of three fragments and of one have no findings")
  func aSoundMovieHasNoFindings() throws {
    #expect(findings(try FragmentedMovieBytes.movie()) == [])
    #expect(findings(try FragmentedMovieBytes.movie(fragments: 1)) == [])
  }

  @Test("bytes without a movie are reported") func noMovieIsFound() {
    #expect(codes([]) == [.noMovie])
    #expect(codes(BoxBytes.box("ftyp")) == [.noMovie])
  }

  @Test("a gap in decode times, a short sample and a wrong edit are reported")
  func wrongTimesAreFound() throws {
    let gap = try FragmentedMovieBytes.movie { box, number in
      if number == 1 { box.tracks[0].baseDecodeTime += 1 }
    }
    #expect(codes(gap) == [.decodeTime])
    #expect(findings(gap).map(\.path) == ["moof[2]/traf[1]", "moof[3]/traf[1]"])
    let short = try FragmentedMovieBytes.movie { box, number in
      if number == 2 { box.tracks[0].samples[2].duration = 1023 }
    }
    #expect(codes(short) == [.editDuration])
    #expect(codes(try FragmentedMovieBytes.movie(edit: 8191)) == [.editDuration])
  }

  /// The end of the presentation, or of the longest media: the pictures begin a 25th of a second late.
  @Test(
    "a movie length other than the presentation's or the longest media's is reported",
    arguments: [(11_520, true), (11_520 + 1920, true), (11_520 + 1000, false), (8192, false)])
  func wrongLengthsAreFound(stated: Int, isRight: Bool) throws {
    var bytes = try FragmentedMovieBytes.movie()
    let scanner = BoxScanner(BoxBytes.source(bytes))
    let movie = try #require(scanner.boxes().first { $0.type == "moov" })
    let box = try #require(scanner.first(["mvex", "mehd"], in: movie))
    let field = Int(box.payload) + 4
    bytes.replaceSubrange(field..<field + 8, with: BoxBytes.number(UInt64(stated)))
    #expect(codes(bytes) == (isRight ? [] : [.movieDuration]))
  }

  @Test("a repeated sequence number, an unknown track and a missing roll group are reported")
  func wrongNumbersAreFound() throws {
    let twice = try FragmentedMovieBytes.movie { box, number in
      if number == 1 { box.sequenceNumber = 1 }
    }
    #expect(codes(twice) == [.sequence])
    let stranger = try FragmentedMovieBytes.movie { box, number in
      if number == 1 { box.tracks[1].trackID = 9 }
    }
    #expect(codes(stranger).isSuperset(of: [.unknownTrack]))
    let group = try FragmentedMovieBytes.movie { box, _ in box.tracks[1].isInRollGroup = true }
    #expect(codes(group) == [.rollGroup])
  }

  @Test("moved or longer data and a box after mfra are reported, a missing mfra isn't")
  func wrongPlacesAreFound() throws {
    let bytes = try FragmentedMovieBytes.movie()
    let scanner = BoxScanner(BoxBytes.source(bytes))
    // Bytes between headers and data move the data away from the stated offsets.
    let media = try #require(scanner.boxes().first { $0.type == "mdat" })
    var moved = bytes
    moved.insert(contentsOf: BoxBytes.box("free"), at: Int(media.payload) - 8)
    #expect(codes(moved) == [.dataOffset, .index])
    // One byte more in the first mdat.
    var longer = bytes
    longer.insert(0, at: Int(media.end))
    longer[Int(media.payload) - 5] += 1
    #expect(codes(longer) == [.dataSize, .index])
    let index = try #require(scanner.boxes().last)
    #expect(codes(Array(bytes[..<(Int(index.payload) - 8)])) == [])
    #expect(codes(bytes + BoxBytes.box("free")) == [.index])
  }

  /// A run that has fewer samples than it states is found in its fragment.
  @Test("a trun that states more samples than it has is reported in its fragment")
  func boxesThatArentAsLongAsTheirFieldsAreFound() throws {
    var bytes = try FragmentedMovieBytes.movie()
    let name = Array("trun".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    // Behind the type, version and flags, the count's last byte.
    #expect(bytes[place + 11] == 3)
    bytes[place + 11] = 4
    let found = findings(bytes).filter { $0.code == .malformedBox }
    #expect(found.map(\.path) == ["moof[1]"])
  }

  @Test("bytes after the last box and a cut one are reported as malformed")
  func brokenBoxesAreFound() throws {
    let bytes = try FragmentedMovieBytes.movie()
    #expect(codes(bytes + [1, 2, 3]).contains(.malformedBox))
    #expect(codes(Array(bytes.dropLast())).contains(.malformedBox))
  }
}
