// swift-tools-version: 6.1
import Foundation
import PackageDescription

// Warnings are errors in CI (PINNA_WERROR=1); locally they stay warnings so that work can go on.
let strict = ProcessInfo.processInfo.environment["PINNA_WERROR"] != nil
let settings: [SwiftSetting] = strict ? [.unsafeFlags(["-warnings-as-errors"])] : []

func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, swiftSettings: settings)
}

let package = Package(
  name: "pinna",
  targets: [
    // System libraries: module map and shim header, nothing else.
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev"])
      ]),
    .systemLibrary(
      name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CMySofa", pkgConfig: "libmysofa", providers: [.apt(["libmysofa-dev"])]),

    // Values and contracts.
    module("AudioCore", []),
    // The only importer of CFFmpeg.
    module("LibAV", ["AudioCore", "CFFmpeg"]),

    // The steps. No step imports another.
    module("Loudness", ["AudioCore"]),
    module("Spatial", ["AudioCore", "LibAV", "CMySofa"], exclude: ["Resources"]),

    // Tests.
    .target(name: "TestSupport", dependencies: ["AudioCore"], path: "Tests/TestSupport"),
    tests("AudioCoreTests", ["AudioCore"]),
  ]
)
