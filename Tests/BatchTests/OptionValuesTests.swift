// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Batch

@Suite struct OptionValuesTests {
  @Test("values that are files become paths in the manifest's folder")
  func onlyFilesBecomePaths() {
    var values = OptionValues()
    let given: [(Setting, String, String)] = [
      (.hrtf, "kemar", "kemar"), (.hrtf, "a.sofa", "a.sofa"), (.hrtf, "x/a.sofa", "/f/x/a.sofa"),
      (.subtitles, "drop", "drop"),
      (.subtitles, "x/y.srt", "/f/x/y.srt"), (.preset, "podcast", "podcast"),
      (.preset, "./p.yaml", "/f/./p.yaml"), (.speakerPositions, "L=30", "L=30"),
      (.speakerPositions, "s.yaml", "/f/s.yaml"), (.trajectory, "/t.csv", "/t.csv"),
      (.loudness, "-18", "-18"), (.equalizers, "hp.txt", "/f/hp.txt"),
      (.taps, "post:eq=a/hp.txt", "post:eq=/f/a/hp.txt"),
      (.taps, "item:fir=/x.wav,align=start", "item:fir=/x.wav,align=start"),
      (.taps, "post:other=x", "post:other=x"),
    ]
    for (option, text, resolved) in given {
      values[option] = [text]
      #expect(values.resolved(in: "/f")[option] == [resolved])
    }
  }

  @Test("an override replaces the options that it has and keeps the others")
  func overridingKeepsTheRest() {
    var (first, second) = (OptionValues(), OptionValues())
    first[.loudness] = ["-18"]
    first[.bits] = ["16"]
    second[.loudness] = ["-20"]
    #expect(first.overridden(by: second).arguments == ["--loudness=-20", "-b", "16"])
  }
}
