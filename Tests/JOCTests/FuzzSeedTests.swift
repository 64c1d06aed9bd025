// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import JOC
@testable import ObjectMetadata

/// The seeds that `make fuzz` begins with reach every branch of the syntax.
@Suite struct FuzzSeedTests {
  private static func seeds() throws -> [String: [UInt8]] {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Seeds/JOC")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.reduce(into: [:]) { seeds, file in
      seeds[file.deletingPathExtension().lastPathComponent] = [UInt8](try Data(contentsOf: file))
    }
  }

  /// Hands over each unit of the seeds that can be read to its end.
  private func readAll(_ body: (JOCUnitReader) -> Void) throws {
    let reader = JOCUnitReader()
    for seed in try FuzzSeedTests.seeds().values {
      for unit in FuzzedUnits.units(seed) {
        let isRead = unit.withUnsafeBufferPointer { (try? reader.read($0)) == true }
        if isRead, reader.objects.endsExactly, reader.coefficients.endsExactly { body(reader) }
      }
    }
  }

  @Test("the seeds of JOC have each kind of coefficients") func theyHaveEveryKindOfCoefficients()
    throws
  {
    var kinds: Set<[Bool]> = []
    var (bands, configurations): (Set<Int>, Set<Int>) = ([], [])
    try readAll { reader in
      let frame = reader.coefficients
      configurations.insert(frame.configuration)
      for header in frame.headers.prefix(frame.count) {
        guard header.isPresent else { continue }
        kinds.insert([header.isSparse, header.isFine, header.isSteep, header.points == 2])
        bands.insert(header.bands)
      }
    }
    #expect(kinds.count == 16 && configurations == Set(0...4), "\(kinds)")
    #expect(bands == Set(BandTables.counts))
  }

  @Test("the seeds of JOC have each kind of metadata") func theyHaveEveryKindOfMetadata() throws {
    var (blocks, ramps, trims): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    var reached: Set<String> = []
    try readAll { reader in
      let frame = reader.objects
      blocks.insert(frame.blocks.count)
      ramps.formUnion(frame.blocks.map(\.ramp))
      trims.insert(frame.trimMode)
      let assignment = frame.assignment
      if assignment.spatialObjects > 0 { reached.insert("spatial") }
      if assignment.beds.count > 1 { reached.insert("beds") }
      if assignment.isDistributed { reached.insert("distributed") }
      if assignment.isDynamicOnly { reached.insert("dynamic only") }
      if frame.untrimmed > 0 { reached.insert("untrimmed") }
      if frame.sampleOffset > 0 { reached.insert("sample offset") }
      for object in 0..<assignment.count {
        for block in frame.blocks.indices { reached.formUnion(parts(frame.info(object, block))) }
      }
    }
    #expect(blocks == Set(1...8) && trims == [0, 1, 2])
    #expect(ramps == [0, 512, 1536, 2047, 2048])
    let wanted: Set = [
      "spatial", "beds", "distributed", "dynamic only", "untrimmed", "sample offset", "inactive",
      "gain", "no gain", "priority", "precision", "factor", "infinite", "zone", "low", "size",
      "screen", "snapped", "divergence",
    ]
    #expect(reached == wanted, "\(wanted.symmetricDifference(reached))")
  }

  /// The parts of `info` that aren't the defaults.
  private func parts(_ info: ObjectInfo) -> [String] {
    guard info.isActive else { return ["inactive"] }
    var parts: [String] = []
    if info.gain == nil { parts.append("no gain") }
    if info.gain ?? 0 != 0 { parts.append("gain") }
    if info.priority > 0, info.priority < 1 { parts.append("priority") }
    if info.precision != ObjectInfo.Axes() { parts.append("precision") }
    if case .factor = info.distance { parts.append("factor") }
    if info.distance == .infinite { parts.append("infinite") }
    if info.zone > 0 { parts.append("zone") }
    if !info.hasElevation { parts.append("low") }
    if info.size.x != info.size.y { parts.append("size") }
    if info.screen != nil { parts.append("screen") }
    if info.isSnapped { parts.append("snapped") }
    if info.divergence > 0 { parts.append("divergence") }
    return parts
  }

  /// Sound units in a container are found there, whatever is around them.
  @Test("units of the seeds of JOC are read where they are sound, and only there")
  func unitsAreReadWhereTheyAreSound() throws {
    let wanted: [String: [Bool]] = [
      "phases": Array(repeating: true, count: 8), "fields": Array(repeating: true, count: 5),
      "several": [true, true, true, false, false],
      "damaged": [true, false, false, false, false, false, false, false],
      "hidden": [true, false], "lost": [true, false, false, false, true],
    ]
    let seeds = try FuzzSeedTests.seeds()
    let reader = JOCUnitReader()
    for (name, wanted) in wanted {
      let found = FuzzedUnits.units(try #require(seeds[name])).map { unit in
        unit.withUnsafeBufferPointer { (try? reader.read($0)) == true }
      }
      #expect(found == wanted, "\(name)")
    }
  }
}
