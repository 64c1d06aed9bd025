// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite struct BadInputTests {
  private func kind(_ name: String, _ bytes: Data) throws -> MediaError.Kind? {
    try MadeMedia(name, bytes: bytes).failure()?.kind
  }

  @Test("a file without media is refused") func whatIsNoMediaIsRefused() throws {
    #expect(try kind("a.wav", Data()) == .inputUnreadable)
    let text = Data(String(repeating: "Only words, no sound at all.\n", count: 400).utf8)
    #expect(try kind("a.txt", text) == .inputUnreadable)
    #expect(try kind("a.mp3", text) == .inputUnreadable)
    #expect(try kind("a.wav", Data("RIFF".utf8)) == .inputUnreadable)
    #expect(try kind("a.bin", Data(count: 10_000)) == .inputUnreadable)
  }

  @Test(
    "HLS, ffconcat, DASH and SDP texts are refused as unreadable under any file name",
    arguments: [
      "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
      "ffconcat version 1.0\nfile '/etc/passwd'\n",
      "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
    ])
  func playlistsAreNotFollowedWhateverTheirName(text: String) throws {
    for name in ["a.wav", "a.m3u8", "a.mpd"] {
      #expect(try kind(name, Data(text.utf8)) == .inputUnreadable)
    }
  }

  @Test(
    "raw AC-4 without frames is refused as damaged or unsupported, and the error names AC-4",
    arguments: [0x40, 0x41] as [UInt8])
  func rawAC4WithoutFramesIsDamaged(second: UInt8) throws {
    let media = try MadeMedia(
      "a.ac4", bytes: Data([0xAC, second, 0, 0] + [UInt8](repeating: 1, count: 500)))
    #expect([.damaged, .unsupportedCodec].contains(media.failure()?.kind))
    #expect(media.failure()?.message.contains("AC-4") == true)
  }

  @Test(
    "A-JOC as a bed is refused by name, protected AC-4 as encrypted, and a file without sound as such",
    .tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func ac4ThatCannotBeDecodedIsNamed() {
    var channels = InputOptions()
    channels.objects.use = .bed
    let objects = DecodedTrack.failure(path: SharedMedia.path("sample_ac4_level4.mp4"), channels)
    #expect(objects?.kind == .unsupportedCodec)
    for word in ["A-JOC", "presentation 0", "leave decoding.objects.use bed"] {
      #expect(objects?.message.contains(word) == true, "\(objects?.message ?? "none")")
    }
    let locked = DecodedTrack.failure(path: SharedMedia.path("sample_ac4_protected.mp4"))
    #expect(locked?.kind == .encrypted)
    #expect(DecodedTrack.failure(path: SharedMedia.path("ChannelCheck.mp4"))?.kind == .noAudio)
  }

  @Test("a FIFO, a folder and a device are refused at once")
  func whatIsNoRegularFileIsRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    #expect(DecodedTrack.failure(path: folder.file("missing.wav"))?.kind == .inputMissing)
    #expect(DecodedTrack.failure(path: folder.file("missing/a.wav"))?.kind == .inputMissing)
    #expect(DecodedTrack.failure(path: "")?.kind == .inputMissing)
    #expect(DecodedTrack.failure(path: folder.path)?.kind == .inputUnreadable)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(DecodedTrack.failure(path: folder.file("pipe"))?.kind == .inputUnreadable)
    #expect(DecodedTrack.failure(path: "/dev/zero")?.kind == .inputUnreadable)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "a URL in place of a file is refused as unsupported, and the error says so",
    arguments: ["http://example.org/a.wav", "file:///tmp/a.wav", "concat://a", "RTMP://x/y"])
  func urlsAreRefused(url: String) {
    let error = DecodedTrack.failure(path: url)
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("URL") == true)
  }

  @Test("files named concat:a.wav, pipe:0 or - are read as files")
  func namesThatLookLikeProtocolsAreFiles() throws {
    let bytes = WAVBytes.pcm16([[1, 2, 3]], rate: 48_000)
    for name in ["concat:a.wav", "pipe:0", "a b%20c.wav", "-"] {
      #expect(try MadeMedia(name, bytes: bytes).decode().count == 3)
    }
  }

  @Test("a WAV that grows by a byte while it is read is refused as unreadable")
  func aFileThatChangesWhileReadIsAnError() throws {
    let plane = [Int16](repeating: 3, count: 200_000)
    let media = try MadeMedia("a.wav", bytes: WAVBytes.pcm16([plane], rate: 48_000))
    let log = DiagnosticLog()
    let file = try MediaFile(path: media.path)
    let stream = try TrackOpener(file).select(.automatic, log: log)
    let reader = try AudioTrackReader(
      media: file, stream: stream, options: InputOptions(), log: log)
    let block = ProgrammeBlock(reader.programme)
    #expect(try reader.read(into: block) != nil)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: media.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let error = #expect(throws: MediaError.self) {
      while try reader.read(into: block) != nil {}
    }
    #expect(error?.kind == .inputUnreadable)
    withExtendedLifetime(media) {}
  }

  @Test("an unknown demuxer option is a usage error")
  func unknownDemuxerOptionsAreNamed() throws {
    let media = try MadeMedia("a.wav", bytes: WAVBytes.pcm16([[1, 2, 3]], rate: 48_000))
    var options = InputOptions()
    options.demuxerOptions = ["no_such_option": "1"]
    #expect(media.failure(options)?.kind == .usage)
  }
}
