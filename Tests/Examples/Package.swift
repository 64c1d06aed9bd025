// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A client of the library, as somebody else would write it: it knows nothing but `import Pinna`.
let package = Package(
  name: "pinna-examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "pinna", path: "../..")],
  targets: [
    .executableTarget(
      name: "RenderExample", dependencies: [.product(name: "Pinna", package: "pinna")])
  ]
)
