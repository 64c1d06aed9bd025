import Testing

@testable import Batch

@Suite struct OptionValuesTests {
  @Test("options of render are found on a batch's command line")
  func theCommandLinesOptionsAreFound() {
    let values = OptionValues(commandLine: [
      "folder", "-O", "out", "-l", "-18", "--true-peak=-2", "-c:a", "aac", "--no-dual-mono",
      "--strict", "--eq", "a", "--eq=b", "--in-opt", "a=b", "--in-opt=c=d", "-j", "2", "-e",
      "speakers", "--retry", "1",
      "--", "-l", "-5",
    ])
    #expect(
      values.arguments == [
        "--in-opt=a=b", "--in-opt=c=d", "--endpoint=speakers", "--loudness=-18", "--true-peak=-2",
        "--no-dual-mono", "-c:a", "aac", "--eq=a", "--eq=b", "--strict",
      ])
  }

  @Test("the last of several values of an option counts")
  func theLastOneWins() {
    let values = OptionValues(commandLine: ["--loudness", "-18", "-l=-20", "--dual-mono"])
    #expect(values["loudness"] == ["-20"] && values["dual-mono"] == ["true"])
  }

  @Test(
    "strict takes the classes that follow it, and stands alone before anything else",
    arguments: [
      (["--strict"], ["--strict"]), (["--strict", "folder"], ["--strict"]),
      (["--strict", "damage,loss", "folder"], ["--strict=damage,loss"]),
      (["--strict=level", "-l", "-18"], ["--loudness=-18", "--strict=level"]),
      (["--strict", "-l", "-18"], ["--loudness=-18", "--strict"]),
      (["--strict", "damage", "--strict"], ["--strict"]),
    ])
  func strictTakesClasses(words: [String], arguments: [String]) {
    #expect(OptionValues(commandLine: words).arguments == arguments)
  }

  @Test("values that are files become paths in the manifest's folder")
  func onlyFilesBecomePaths() {
    var values = OptionValues()
    let given = [
      ("hrtf", "kemar", "kemar"), ("hrtf", "a.sofa", "a.sofa"), ("hrtf", "x/a.sofa", "/f/x/a.sofa"),
      ("subtitles", "drop", "drop"),
      ("subtitles", "x/y.srt", "/f/x/y.srt"), ("preset", "podcast", "podcast"),
      ("preset", "./p.yaml", "/f/./p.yaml"), ("speakers", "L=30", "L=30"),
      ("speakers", "s.yaml", "/f/s.yaml"), ("trajectory", "/t.csv", "/t.csv"),
      ("loudness", "-18", "-18"), ("eq", "hp.txt", "/f/hp.txt"),
      ("tap", "post:eq=a/hp.txt", "post:eq=/f/a/hp.txt"),
      ("tap", "item:fir=/x.wav,align=start", "item:fir=/x.wav,align=start"),
      ("tap", "post:other=x", "post:other=x"),
    ]
    for (name, text, resolved) in given {
      values[name] = [text]
      #expect(values.resolved(in: "/f")[name] == [resolved])
    }
  }

  @Test("an override replaces the options that it has and keeps the others")
  func overridingKeepsTheRest() {
    var (first, second) = (OptionValues(), OptionValues())
    first["loudness"] = ["-18"]
    first["bits"] = ["16"]
    second["loudness"] = ["-20"]
    #expect(first.overridden(by: second).arguments == ["--loudness=-20", "-b", "16"])
  }
}
