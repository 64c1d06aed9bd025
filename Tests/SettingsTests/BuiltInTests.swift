// SPDX-License-Identifier: Apache-2.0
import Settings
import Testing

/// The built-in presets have the values of the documents that they cite.
@Suite struct BuiltInTests {
  private let library = PresetLibrary(folder: nil)

  @Test("the built-in presets have the levels of their standards")
  func theNumbersAreThoseOfTheDocuments() throws {
    let wanted: [(String, String, String)] = [
      ("apple-music", "-16", "-1"), ("podcast", "-16", "-1"), ("spotify", "-14", "-1"),
      ("ebu-r128", "-23", "-1"), ("atsc-a85", "-24", "-2"), ("netflix", "-27", "-2"),
      ("youtube", "-14", "-1"),
      ("dolby-atmos-music", "-18", "-1"),
      ("aes-td1008-speech", "-18", "-1"), ("aes-td1008-music", "-16", "-1"),
    ]
    #expect(library.names == wanted.map(\.0))
    for (name, loudness, truePeak) in wanted {
      let preset = try library.preset(name)
      #expect(preset.text(.loudness) == loudness)
      #expect(preset.text(.truePeak) == truePeak)
      #expect(preset.source == .builtIn)
      #expect(preset.reference?.isEmpty == false && !preset.summary.isEmpty)
    }
    #expect(try library.preset("podcast").flag(.dualMono) == true)
    for name in library.names {
      #expect(try library.preset(name).text(.container) == (name == "podcast" ? "mp3" : nil))
    }
    #expect(try library.preset("netflix").text(.anchor) == "dialogue")
    #expect(try library.preset("netflix").text(.programmeLoudness) == "-24")
    #expect(try library.preset("dolby-atmos-music").text(.loudnessLayout) == "5.1")
  }

  /// Levels for delivery hold for what a service gets, not for what its listeners wear; services of two channels get two.
  @Test(
    "no built-in preset virtualises; those of services with two channels limit the layout to stereo"
  )
  func builtInPresetsDeliverChannels() {
    let stereo = ["apple-music", "podcast", "spotify", "aes-td1008-speech", "aes-td1008-music"]
    for preset in BuiltInPresets.all {
      #expect(preset.text(.endpoint) == "none", "\(preset.name)")
      let layout = stereo.contains(preset.name) ? "stereo" : nil
      #expect(preset.text(.outputLayout) == layout, "\(preset.name)")
      #expect(preset.text(.codec) == nil && preset.text(.bitRate) == nil, "\(preset.name)")
      let shown = preset.yaml()
      #expect(shown.contains("endpoint: none\n"), "\(shown)")
      #expect(shown.contains("layout: stereo\n") == (layout != nil), "\(shown)")
    }
  }

  /// The document has a level of its own for albums, which holds for their loudest track.
  @Test("AES TD1008 for music, and no other preset, has -14 LUFS for an album's loudest track")
  func musicHasALevelForAlbums() throws {
    for preset in BuiltInPresets.all {
      let isMusic = preset.name == "aes-td1008-music"
      #expect(preset.number(.albumLoudness) == (isMusic ? -14 : nil), "\(preset.name)")
      #expect(preset.flag(.loudestTrack) == (isMusic ? true : nil), "\(preset.name)")
    }
  }

  @Test("every built-in preset reads back from the YAML that it is saved as")
  func everyPresetCanBeSavedAndReadBack() throws {
    for preset in BuiltInPresets.all {
      let files = try PresetFiles()
      let path = try files.write("own-\(preset.name)", preset.yaml())
      let read = try files.library.preset("own-\(preset.name)")
      #expect(read.settings == preset.settings)
      #expect(read.summary == preset.summary && read.reference == preset.reference)
      #expect(read.source == .file(path: path, replacesBuiltIn: false))
    }
  }

  @Test("the folder of presets is below XDG_CONFIG_HOME where that is absolute, else below HOME")
  func theFolderIsThatOfTheEnvironment() {
    let cases: [([String: String], String?)] = [
      (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/pinna/presets"),
      (["HOME": "/h"], "/h/.config/pinna/presets"),
      (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/pinna/presets"),
      (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/pinna/presets"), ([:], nil),
    ]
    for (environment, folder) in cases {
      #expect(PresetLibrary(environment: environment).folder == folder)
    }
  }
}
