// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Sentences about what an option names, word for word: what is wrong, where, and what to do.
@Suite(.tags(.system)) struct SentenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let words: String
    let code: Int32
    let says: String
    var testDescription: String { words }

    init(_ words: String, _ code: Int32, _ says: String) {
      (self.words, self.code, self.says) = (words, code, says)
    }
  }

  /// Files that the rows name with an `@`, by their name.
  private static let texts = [
    "far.csv": "time,yaw,pitch,roll\n2000000,1,0,0\n",
    "long.csv": "time,qw,qx,qy,qz\n0,2,0,0,0\n",
    "foreign.csv": "zeit,yaw,pitch,roll\n0,1,2,3\n",
    "turned.csv": "time,yaw,pitch,roll\n0,400,0,0\n",
    "back.csv": "time,yaw,pitch,roll\n1,4,0,0\n0,2,0,0\n",
    "none.csv": "time,yaw,pitch,roll\n",
    "some.csv": "time,yaw\n0,1\n",
    "file": "text",
  ]

  private static let mayUse = "may not be used: "
  private static let list = "; pinna taps list names those that may"

  private static let rows = [
    // Logs of head poses.
    Row(
      "render @in.wav -o @o.wav --trajectory @far.csv", 2,
      "@far.csv: head trajectory, line 2: the time must be within ±1000000 s, not 2000000.0; --trajectory-offset first lets the first pose begin at 0"
    ),
    Row(
      "render @in.wav -o @o.wav --trajectory @long.csv", 2,
      "@long.csv: head trajectory, line 2: w, x, y and z must make a unit quaternion; its length is 2.0"
    ),
    Row(
      "render @in.wav -o @o.wav --trajectory @foreign.csv", 2,
      "@foreign.csv: head trajectory, line 1: no column is named time; the columns are zeit, yaw, pitch, roll"
    ),
    Row(
      "render @in.wav -o @o.wav --trajectory @turned.csv", 2,
      "@turned.csv: head trajectory, line 2: the head's yaw must be within −360…360°, not 400.0"),
    Row(
      "render @in.wav -o @o.wav --trajectory @back.csv", 2,
      "@back.csv: head trajectory, line 3: the time 0 isn't later than the line before"),
    Row(
      "render @in.wav -o @o.wav --trajectory @none.csv", 2,
      "@none.csv: the head trajectory is empty; give at least one pose"),
    Row(
      "render @in.wav -o @o.wav --trajectory @some.csv", 2,
      "@some.csv: head trajectory, line 1: neither yaw, pitch and roll nor qw, qx, qy and qz are among the columns time, yaw"
    ),
    Row(
      "render @in.wav -o @o.wav --trajectory @back.csv --trajectory-offset soon", 2,
      "--trajectory-offset soon: give seconds, e.g. -1.5, or first, or first+0.25"),
    Row(
      "render @in.wav -o @o.wav --trajectory @back.csv --trajectory-offset first0.5", 2,
      "--trajectory-offset first0.5: give seconds, e.g. -1.5, or first, or first+0.25"),
    // Outputs.
    Row(
      "render @in.wav -o @file/x.wav", 6,
      "@file/x.wav: a file stands where its folder should be (Not a directory); correct the path"),
    Row(
      "render @in.wav -o x.xyz", 2,
      "-o x.xyz: no container is called .xyz; give .wav, .bw64, .flac, .opus, .ogg, .mp3, .mp4, .m4a, .m4b, .m3u8, .mkv, .mka, .webm, .weba, .iamf, .ac3, .eac3 or .ec3, or -f"
    ),
    Row(
      "render @. -o x.wav", 3,
      "@.: is a folder; pinna batch renders all of its files, and --join plays them as one programme"
    ),
    Row("render @no name.wav -o x.wav", 2, "@no: no such file; put a name with spaces in quotes"),
    Row(
      "render @in.wav @in.wav -o x.wav", 2,
      "-o x.wav: several inputs need a folder; end its name in /, and it is made"),
    Row(
      "render @in.wav -o @o.wav --start 2:00", 2,
      "the range from --start to --end lies beyond the end of @in.wav, which lasts 00:00:01.000"),
    // Filters that an option replaces.
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=asetrate=r=44100", 2,
      "the filter asetrate \(mayUse)-r chooses the rate\(list)"),
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=atrim=start=1", 2,
      "the filter atrim \(mayUse)--start and --end choose the range\(list)"),
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=channelmap=map=0", 2,
      "the filter channelmap \(mayUse)--layout chooses the channels\(list)"),
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=aformat=f=s16", 2,
      "the filter aformat \(mayUse)-r, -b and --layout choose the format\(list)"),
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=headphone", 2,
      "the filter headphone \(mayUse)--endpoint headphones does it\(list)"),
    Row(
      "render @in.wav -o @o.wav --tap post:avfilter=sofalizer=sofa=a.sofa", 2,
      "the filter sofalizer \(mayUse)it reads files; --hrtf takes them\(list)"),
    // Goldens.
    Row(
      "golden record --cases @goldens --input @in.wav --why w -- render @in.wav -o @o.wav", 2,
      "a new case lacks a name, --oracle TEXT"),
    Row(
      "golden record g --cases @goldens --input @in.wav --why w --oracle o -- render {input} -o {out}/x.wav -l 16",
      2,
      "g: its command fails with exit 2 (usage), so nothing was recorded; correct it, or add --expect-exit 2"
    ),
  ]

  @Test("each of these sentences is printed word for word", arguments: rows)
  func aSentenceIsPrinted(row: Row) async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    for (name, text) in SentenceTests.texts { try Data(text.utf8).write(to: folder.url(name)) }
    let before = folder.contents
    func placed(_ text: String) -> String {
      text.split(separator: " ", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : String($0) }
        .joined(separator: " ")
    }
    let words = row.words.split(separator: " ").map { placed(String($0)) }
    let result = try await InProcess.run(words)
    #expect(result.status == row.code)
    #expect(result.errors == "pinna: \(placed(row.says))\n")
    #expect(folder.contents == before)
  }
}
