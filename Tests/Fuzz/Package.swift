// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The programs of libFuzzer. They need what the library keeps to itself, so this package builds the library's
// own sources, which `Sources` links to, with the fuzzer's counters in them.
func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude)
}

let package = Package(
  name: "pinna-fuzz",
  platforms: [.macOS(.v15)],
  // libFuzzer brings the main function, so this is linked by hand.
  products: [.library(name: "Fuzz", type: .static, targets: ["FuzzMain"])],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash"),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1"),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample"),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile"),
    .systemLibrary(name: "CHDF5", pkgConfig: "hdf5"),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
    .systemLibrary(name: "CTag", pkgConfig: "taglib"),
    .target(name: "CTagLib", dependencies: ["CTag"]),
    .target(name: "CKernels"),
    .target(name: "CProcess"),
    module("AudioCore", []),
    module("Essentials", []),
    module("Platform", ["AudioCore", "CProcess", "CCrypto", "CXXHash"]),
    module("Signal", ["AudioCore", "Platform", "CKernels"]),
    module("LibAV", ["AudioCore", "Platform", "Signal", "CFFmpeg"]),
    module("ISOBMFF", ["AudioCore"]),
    module("Matroska", ["AudioCore"]),
    module("Tagging", ["AudioCore", "Platform", "Signal", "ISOBMFF", "Matroska", "CTagLib"]),
    module(
      "ObjectMetadata", ["AudioCore", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    module(
      "AC4", ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Annexes"]),
    module(
      "JOC", ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    module(
      "TrueHD", ["AudioCore", "ObjectMetadata", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    module("IAMF", ["AudioCore", "Platform", "Signal"]),
    module("Markup", []),
    module("YAML", ["AudioCore", "CYAML"]),
    module("DAMF", ["AudioCore", "Signal", "YAML"]),
    module(
      "ADM", ["AudioCore", "Platform", "Signal", "Markup", "CZlib"],
      exclude: ["Tables/make_tables.py", "Tables/common_definitions.json"]),
    module(
      "MediaIn",
      [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "ISOBMFF", "AC4", "JOC", "ADM",
        "DAMF", "IAMF", "CCurl",
      ]),
    module("PlayQueue", ["AudioCore", "Platform", "Markup"]),
    module(
      "MediaOut",
      [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "ISOBMFF", "Matroska", "IAMF",
        "CSndFile",
      ]),
    module("Verify", ["AudioCore", "Platform", "Signal", "LibAV"]),
    .target(
      name: "Report", dependencies: ["AudioCore", "Essentials", "Platform"],
      resources: [
        "sound", "chance", "view", "listen", "bracket", "trial", "tournament", "abx", "start",
      ].map { .embedInCode("Audition/Script/\($0).js") }),
    module("Loudness", ["AudioCore", "Platform", "Signal", "CKernels"]),
    module(
      "Spatial",
      ["AudioCore", "Essentials", "Platform", "Signal", "LibAV", "CKernels", "CHDF5"],
      exclude: [
        "Resources", "Loudspeakers/Tables/make_tables.py", "Loudspeakers/Tables/Figures",
      ]),
    module("Effects", ["AudioCore", "Platform", "Signal"]),
    module("Analysis", ["AudioCore", "Platform", "Signal"]),
    module("Settings", ["AudioCore", "Essentials", "Platform", "YAML"]),
    module(
      "Rendering",
      [
        "AudioCore", "Platform", "Signal", "LibAV", "MediaIn", "Spatial", "Loudness", "MediaOut",
        "Verify", "Report", "Settings", "ISOBMFF", "Matroska", "AC4", "ADM", "IAMF", "PlayQueue",
        "Essentials", "Effects", "Analysis",
      ]),
    module(
      "Batch", ["AudioCore", "Essentials", "Platform", "MediaOut", "Report", "Settings"]),
    // The work of each target on its input. The ordinary tests run the same functions.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AC4", "ADM", "AudioCore", "Batch", "DAMF", "Effects", "IAMF", "ISOBMFF", "JOC", "Markup",
        "Matroska", "MediaIn", "MediaOut", "PlayQueue", "Platform", "Settings", "Rendering",
        "Report", "Spatial", "Tagging", "TrueHD", "Verify",
      ],
      path: "Targets"),
    .target(name: "FuzzMain", dependencies: ["FuzzTargets"], path: "Main"),
  ]
)
