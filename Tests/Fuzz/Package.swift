// swift-tools-version: 6.1
import PackageDescription

// libFuzzer's programs. They need what the library keeps to itself, so this package builds the library's
// own sources, which `Sources` links to, with the fuzzer's counters in them.
let package = Package(
  name: "pinna-fuzz",
  platforms: [.macOS(.v15)],
  // libFuzzer brings the main function, so this is linked by hand.
  products: [
    .library(name: "AC4Fuzz", type: .static, targets: ["AC4Fuzz"]),
    .library(name: "ADMFuzz", type: .static, targets: ["ADMFuzz"]),
    .library(name: "JOCFuzz", type: .static, targets: ["JOCFuzz"]),
    .library(name: "IAMFFuzz", type: .static, targets: ["IAMFFuzz"]),
    .library(name: "EqualizerFuzz", type: .static, targets: ["EqualizerFuzz"]),
  ],
  targets: [
    .target(name: "CProcess"),
    .target(name: "CSignal"),
    .target(name: "AudioCore"),
    .target(name: "Platform", dependencies: ["AudioCore", "CProcess"]),
    .target(name: "Signal", dependencies: ["Platform", "CSignal"]),
    .target(
      name: "AC4", dependencies: ["AudioCore", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Annexes"]),
    .target(name: "Markup"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .target(
      name: "ADM", dependencies: ["AudioCore", "Platform", "Signal", "Markup", "CZlib"],
      exclude: ["Tables/make_tables.py", "Tables/common_definitions.json"]),
    .target(
      name: "JOC", dependencies: ["AudioCore", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    .target(name: "IAMF", dependencies: ["AudioCore", "Platform", "Signal"]),
    .target(name: "Effects", dependencies: ["AudioCore", "Platform", "Signal"]),
    .target(name: "EqualizerFuzz", dependencies: ["Effects", "AudioCore"], path: "EqualizerFuzz"),
    .target(name: "IAMFFuzz", dependencies: ["IAMF", "AudioCore"], path: "IAMFFuzz"),
    .target(name: "JOCFuzz", dependencies: ["JOC", "AudioCore"], path: "JOCFuzz"),
    .target(name: "ADMFuzz", dependencies: ["ADM"], path: "ADMFuzz"),
    .target(name: "AC4Fuzz", dependencies: ["AC4", "AudioCore"], path: "AC4Fuzz"),
  ]
)
