// swift-tools-version: 6.1
import PackageDescription

// The programs that measure what single stages cost. They need what the library keeps to itself, so this
// package builds the library's own sources, which `Sources` links to.
let package = Package(
  name: "pinna-benchmarks",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample"),
    .systemLibrary(name: "CMySofa", pkgConfig: "libmysofa"),
    .systemLibrary(name: "CHDF5", pkgConfig: "hdf5"),
    .systemLibrary(name: "CEBUR128", path: "CEBUR128", pkgConfig: "libebur128"),
    .target(name: "CProcess"),
    .target(name: "CKernels"),
    .target(name: "CSamples"),
    .target(name: "Samples", dependencies: ["AudioCore", "CSamples"]),
    .target(name: "CConvolution"),
    .target(name: "CSignal"),
    .target(name: "AudioCore"),
    .target(name: "Essentials"),
    .target(name: "Platform", dependencies: ["AudioCore", "CProcess"]),
    .target(name: "Signal", dependencies: ["Platform", "CSignal"]),
    .target(name: "LibAV", dependencies: ["AudioCore", "Platform", "Samples", "CFFmpeg"]),
    .target(
      name: "ObjectMetadata", dependencies: ["AudioCore", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    .target(
      name: "AC4", dependencies: ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Annexes"]),
    .target(
      name: "JOC", dependencies: ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),
    .target(
      name: "Loudness", dependencies: ["AudioCore", "Platform", "Samples", "Signal", "CKernels"]),
    .target(
      name: "Spatial",
      dependencies: [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "CConvolution", "CMySofa",
        "CHDF5",
      ],
      exclude: [
        "Resources", "Loudspeakers/Tables/make_tables.py", "Loudspeakers/Tables/Figures",
      ]),

    // Counts allocations; only a measuring tool may stand before malloc.
    .target(name: "CAllocations", path: "CAllocations"),
    // What the binaural stage alone costs.
    .executableTarget(
      name: "SpatialBench", dependencies: ["Spatial", "AudioCore", "Platform"], path: "SpatialBench"
    ),
    // What decoding AC-4 costs.
    .executableTarget(
      name: "AC4Bench", dependencies: ["AC4", "AudioCore", "CAllocations", "Platform"],
      path: "AC4Bench"),
    // What the objects of E-AC-3 cost.
    .executableTarget(
      name: "JOCBench", dependencies: ["JOC", "AudioCore", "CAllocations", "Platform"],
      path: "JOCBench"),
    // Compares the meter's cost with libebur128's.
    .executableTarget(
      name: "MeterBench", dependencies: ["Loudness", "AudioCore", "CEBUR128", "Platform"],
      path: "MeterBench"),
  ]
)
