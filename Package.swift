// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

// Warnings are errors in CI (PINNA_WERROR=1); locally they stay warnings so that work can go on.
let strict = ProcessInfo.processInfo.environment["PINNA_WERROR"] != nil
let settings: [SwiftSetting] = strict ? [.unsafeFlags(["-warnings-as-errors"])] : []
// The host of LV2 plugins needs lilv, which not every system has; the Makefile says whether it is there.
let hasLilv = ProcessInfo.processInfo.environment["PINNA_LILV"] == "1"

func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

// What parses and prints once needs no optimisation, which takes two thirds of the time to compile it. No product that a client
// uses has this flag.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Tests aren't optimised: that takes a third of the time to compile them. What computes for them lies in TestSupport or in a
/// target of slow references, which are.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, swiftSettings: settings + unoptimised)
}

/// Slow and plain references, and signals made for tests.
func references(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: ["TestSupport"] + dependencies, path: "Tests/\(name)",
    swiftSettings: settings)
}

func bench(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/Benchmarks/\(name)",
    swiftSettings: settings)
}

let package = Package(
  name: "pinna",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Pinna", targets: ["Pinna"]),
    .executable(name: "pinna", targets: ["PinnaCLI"]),
  ],
  dependencies: [
    // Exact, so that two builds of one commit are of the same sources. It depends on no other package.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // System libraries: module map and shim header, nothing else.
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
          "libavfilter-dev",
        ]),
        .brew(["ffmpeg"]),
      ]),
    .systemLibrary(
      name: "CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
    .systemLibrary(
      name: "CHDF5", pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"]), .brew(["hdf5"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CTag", pkgConfig: "taglib",
      providers: [.apt(["libtag1-dev"]), .brew(["taglib"])]),

    // TagLib, which is C++, behind functions of C; the only target with C++.
    .target(name: "CTagLib", dependencies: ["CTag"]),

    // Hot loops over samples in C, with clones for AVX2: packing, transforms and filter banks, loudness, convolution.
    .target(name: "CKernels"),

    // What Swift can't ask of the kernel itself; only Platform imports it.
    .target(name: "CProcess"),

    // Values and contracts.
    module("AudioCore", []),
    // Foundation under the name that it has on each system.
    module("Essentials", []),
    // Files, descriptors, processes, digests and checksums; the only importer of the C library, of CCrypto and of CXXHash.
    module("Platform", ["AudioCore", "CProcess", "CCrypto", "CXXHash"]),
    // Loudness tags of files that are there already; the only importer of CTagLib.
    module("Tagging", ["AudioCore", "Platform", "Signal", "ISOBMFF", "Matroska", "CTagLib"]),
    // Samples as files hold them, decibels, bits, transforms and filter banks: several steps need them, and none owns them.
    module("Signal", ["AudioCore", "Platform", "CKernels"]),
    // The only importer of CFFmpeg.
    module("LibAV", ["AudioCore", "Platform", "Signal", "CFFmpeg"]),

    // Boxes of ISO/IEC 14496-12, read and written.
    module("ISOBMFF", ["AudioCore"]),

    // Elements of Matroska and WebM (RFC 8794, RFC 9559), read and written.
    module("Matroska", ["AudioCore"]),

    // What coded metadata say of objects, and what renderers make of it (ETSI TS 103 420, TS 103 190-2).
    module(
      "ObjectMetadata", ["AudioCore", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),

    // Bitstream and decoder of AC-4 (ETSI TS 103 190).
    module(
      "AC4", ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Annexes"]),

    // Objects in E-AC-3 (ETSI TS 103 420).
    module(
      "JOC", ["AudioCore", "ObjectMetadata", "Platform", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),

    // Bitstream and decoder of Dolby TrueHD and MLP, and the objects in TrueHD.
    module(
      "TrueHD", ["AudioCore", "ObjectMetadata", "Signal"],
      exclude: ["Tables/make_tables.py", "Tables/Figures"]),

    // Bitstream of IAMF (Immersive Audio Model and Formats), and what its substreams make.
    module("IAMF", ["AudioCore", "Platform", "Signal"]),

    // XML, read and written, without document types.
    module("Markup", []),

    // YAML that can't be trusted, read within limits; the only importer of CYAML.
    module("YAML", ["AudioCore", "CYAML"]),

    // WAV files with audio definition metadata (ITU-R BS.2076, BS.2088); the only importer of CZlib.
    module(
      "ADM", ["AudioCore", "Platform", "Signal", "Markup", "CZlib"],
      exclude: ["Tables/make_tables.py", "Tables/common_definitions.json"]),

    // Dolby Atmos master files: a root, events and the header of their sound.
    module("DAMF", ["AudioCore", "Signal", "YAML"]),

    // The steps. No step imports another.
    // Inputs; the only importer of CCurl.
    module(
      "MediaIn",
      [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "ISOBMFF", "Matroska", "AC4",
        "JOC", "TrueHD", "ADM", "DAMF", "IAMF", "CCurl",
      ], exclude: ["Pictures/References/make_tables.py"]),
    // Many items on one timeline: values, exact positions, edits, and the files that list them.
    module("PlayQueue", ["AudioCore", "Platform", "Markup"]),
    module(
      "MediaOut",
      [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "ISOBMFF", "Matroska", "IAMF",
        "CSndFile",
      ]),
    module("Verify", ["AudioCore", "Platform", "Signal"]),
    // A client's program carries the script of listening pages in itself, so that it needs no bundle beside it.
    .target(
      name: "Report", dependencies: ["AudioCore", "Essentials", "Platform"],
      resources: [
        "sound", "chance", "view", "listen", "bracket", "trial", "tournament", "abx", "start",
      ].map { .embedInCode("Audition/Script/\($0).js") },
      swiftSettings: settings),
    module("Loudness", ["AudioCore", "Platform", "Signal", "CKernels"]),
    // Speech found in a programme, its loudness, and the gain that levels a programme by it; built on the meter of Loudness.
    module("Dialogue", ["AudioCore", "Loudness", "Signal"]),
    module(
      "Spatial",
      ["AudioCore", "Essentials", "Platform", "Signal", "CKernels", "CHDF5"],
      exclude: [
        "Resources", "Loudspeakers/Tables/make_tables.py", "Loudspeakers/Tables/Figures",
      ]),
    // Processing that users ask for by name: equalisers.
    module("Effects", ["AudioCore", "Platform", "Signal"]),
    // What is found out about sound: levels, phase, silence, spectra and their pictures.
    module("Analysis", ["AudioCore", "Platform", "Signal"]),
    // Settings, presets and the files that hold them.
    module("Settings", ["AudioCore", "Essentials", "Platform", "YAML"]),
    // Composes the steps into jobs.
    module(
      "Rendering",
      [
        "AudioCore", "Platform", "Signal", "LibAV", "MediaIn", "Spatial", "Loudness", "Dialogue",
        "MediaOut", "Verify", "Report", "Settings", "ISOBMFF", "Matroska", "AC4", "ADM", "IAMF",
        "PlayQueue",
        "Essentials", "Effects", "Analysis",
      ]),
    // Looks at files: probe, measure, compare, validate, goldens, HRTF sets, doctor, listening pages.
    module(
      "Inspection",
      [
        "AudioCore", "Essentials", "Platform", "Signal", "LibAV", "MediaIn", "Spatial", "Loudness",
        "MediaOut", "Verify", "Report", "ISOBMFF", "Matroska", "AC4", "IAMF", "Analysis",
        "Rendering", "Tagging",
      ]),
    // The front door: what `import Pinna` gives.
    module(
      "Pinna",
      [
        "AudioCore", "Essentials", "Inspection", "Loudness", "MediaIn", "MediaOut", "Platform",
        "PlayQueue", "Settings", "Rendering", "Report", "Spatial", "Verify",
      ]),
    // Many jobs in worker processes; renders through an interface that the command line fills in.
    module(
      "Batch",
      ["AudioCore", "Essentials", "Platform", "MediaOut", "Report", "Settings"]),
    // The command line: parses, calls, prints.
    .executableTarget(
      name: "PinnaCLI",
      dependencies: [
        "Rendering", "Inspection", "AudioCore", "Essentials", "Platform", "MediaIn", "Loudness",
        "MediaOut", "Report", "Spatial", "LibAV", "Verify", "Settings", "Batch", "PlayQueue",
        "Tagging",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings + unoptimised),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["AudioCore", "Platform", "Report"],
      path: "Tests/TestSupport", exclude: ["loopback_server.py", "hostile_server.py"]),
    tests("AudioCoreTests", ["AudioCore"]),
    tests("SamplesTests", ["Signal", "AudioCore", "CKernels"]),
    tests("SignalTests", ["Signal", "CKernels"]),
    tests("LibAVTests", ["LibAV", "AudioCore", "Platform", "Signal"]),
    references("AC4References", ["AC4", "ObjectMetadata", "AudioCore", "Signal"]),
    tests("AC4Tests", ["AC4References", "AC4", "ObjectMetadata", "AudioCore", "Signal"]),
    tests("JOCTests", ["JOC", "ObjectMetadata", "AudioCore", "Signal"]),
    tests("TrueHDTests", ["TrueHD", "ObjectMetadata", "AudioCore", "Platform", "Signal"]),
    tests("IAMFTests", ["IAMF", "AudioCore", "Platform"]),
    tests("MarkupTests", ["Markup"]),
    tests("ADMTests", ["ADM", "AudioCore", "Platform"]),
    tests("DAMFTests", ["DAMF", "ADM", "AudioCore", "YAML"]),
    tests("TimelineTests", ["MediaIn", "AudioCore"]),
    tests("PlayQueueTests", ["PlayQueue", "AudioCore"]),
    tests("SegmentStoreTests", ["Rendering", "AudioCore", "Platform"]),
    tests("TaggingTests", ["Tagging", "AudioCore", "ISOBMFF", "Matroska", "Platform"]),
    tests("ISOBMFFTests", ["ISOBMFF", "AudioCore"]),
    tests("MatroskaTests", ["Matroska", "AudioCore"]),
    tests("MediaInTests", ["MediaIn", "AudioCore", "Platform", "LibAV", "ISOBMFF", "Matroska"]),
    tests(
      "MediaOutTests",
      ["MediaOut", "ADM", "IAMF", "AudioCore", "Platform", "ISOBMFF", "Matroska", "Verify"]),
    tests("VerifyTests", ["Verify", "AudioCore", "MediaOut", "Platform"]),
    // The oracle of the loudness tests; no product imports it.
    .systemLibrary(
      name: "CEBUR128", path: "Tests/CEBUR128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"]), .brew(["libebur128"])]),
    tests("ReportTests", ["Report", "AudioCore"]),
    tests("SettingsTests", ["Settings", "AudioCore"]),
    references("LoudnessReferences", ["Loudness", "AudioCore", "Platform", "CEBUR128"]),
    tests(
      "LoudnessTests",
      ["LoudnessReferences", "Loudness", "AudioCore", "Platform", "Signal", "CEBUR128", "CKernels"]),
    tests("DialogueTests", ["Dialogue", "AudioCore", "Loudness", "Signal"]),
    references("SpatialReferences", ["Spatial", "AudioCore", "Platform", "Signal"]),
    tests(
      "SpatialTests",
      ["SpatialReferences", "Spatial", "AudioCore", "Platform", "Signal", "CKernels"]),
    tests(
      "RenderingTests",
      [
        "Rendering", "Inspection", "AudioCore", "Platform", "Signal", "LibAV", "Loudness",
        "MediaIn", "MediaOut", "Report", "Spatial", "Verify", "ISOBMFF", "Matroska", "CEBUR128",
        "PlayQueue",
      ]),
    tests("AnalysisTests", ["Analysis", "AudioCore", "Signal"]),
    tests("EffectsTests", ["Effects", "AudioCore", "Signal"]),
    tests("AuditionTests", ["Inspection", "AudioCore", "Rendering", "Report"]),
    tests("BatchTests", ["Batch", "AudioCore", "Platform", "Report"]),
    // A program that tries to get out of the sandbox, in ways that only C can go; tests start it.
    .target(name: "CEscapes", path: "Tests/CEscapes"),
    .executableTarget(
      name: "SandboxEscapes", dependencies: ["CEscapes", "Platform"],
      path: "Tests/SandboxEscapes", swiftSettings: settings),
    tests("CommandTests", ["Pinna", "PinnaCLI", "Platform", "Report", "SandboxEscapes"]),
    // The fuzz targets of Tests/Fuzz, which a link makes a part of these.
    tests(
      "FuzzTests",
      [
        "AC4", "ADM", "AudioCore", "Batch", "DAMF", "Effects", "IAMF", "ISOBMFF", "JOC", "Markup",
        "Matroska", "MediaIn", "MediaOut", "PlayQueue", "Platform", "Settings", "Rendering",
        "Report", "Spatial", "Tagging", "TrueHD", "Verify",
      ]),

    // Programs that measure what single stages cost; the tests of allocations run some of them.
    .target(name: "CAllocations", path: "Tests/Benchmarks/CAllocations"),
    bench("AC4Bench", ["AC4", "AudioCore", "CAllocations", "Platform"]),
    bench("JOCBench", ["JOC", "AudioCore", "CAllocations", "Platform"]),
    bench("TrueHDBench", ["TrueHD", "AudioCore", "CAllocations", "Platform"]),
    bench("MeterBench", ["Loudness", "AudioCore", "CEBUR128", "Platform"]),
    bench("SpatialBench", ["Spatial", "AudioCore", "Platform"]),
  ]
)

if hasLilv {
  package.products.append(.executable(name: "pinna-lv2", targets: ["LV2Host"]))
  package.targets += [
    .systemLibrary(
      name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"]), .brew(["lilv"])]),
    // Plugins in a process of their own; the only importer of CLilv.
    .executableTarget(
      name: "LV2Host", dependencies: ["AudioCore", "Essentials", "Platform", "Report", "CLilv"],
      swiftSettings: settings),
  ]
}
