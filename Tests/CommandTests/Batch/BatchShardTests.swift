// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Parts of a batch on several machines, and their merge.
@Suite(.tags(.system), .fullRunOnly) struct BatchShardTests {
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    for number in 0..<9 { try place.programme("\(number).wav", seconds: 0.2) }
  }

  private func merge(_ extra: [String] = []) async throws -> BatchOutcome {
    BatchOutcome(
      try await InProcess.run(
        ["merge", place.folder.file("in"), "-O", place.folder.file("out"), "--json"] + extra))
  }

  @Test("three shards and merge give the same files as one batch")
  func shardsAndMergeAreTheWhole() async throws {
    #expect(try place.batch(to: "whole").status == 0)
    for index in 1...3 { #expect(try place.batch(nil, ["--shard", "\(index)/3"]).status == 0) }
    let merged = try await merge(["--shards", "3"])
    #expect(merged.status == 0 && merged.counts["done"] == 9, "\(merged.errors)")
    #expect(merged.ids == (0..<9).map { "\($0).wav" })
    let parts = try place.content().filter { !$0.key.hasPrefix(".pinna/shards") }
    #expect(try parts == place.content("whole"))
  }

  @Test("the shard's number comes from the scheduler's variable; without one the run is refused")
  func theSchedulerNamesTheShard() async throws {
    for index in 0..<2 {
      let result = try Tool.run(
        Product.path,
        ["batch", place.folder.file("in"), "-O", place.folder.file("out"), "--shards", "2"],
        environment: ["JOB_COMPLETION_INDEX": "\(index)", "PINNA_CACHE": "off"])
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try await merge().status == 0)
    let nobody = try await place.refusal(nil, ["--shards", "2"])
    #expect(nobody.status == 2 && nobody.errors.contains("SLURM_ARRAY_TASK_ID"))
  }

  @Test("merge names the items of a shard that didn't run, and items without a result")
  func missingItemsAreNamed() async throws {
    #expect(try place.batch(nil, ["--shard", "1/2"]).status == 0)
    let half = try await merge(["--shards", "2"])
    #expect(half.status == 10, "\(half.errors)")
    let missing = half.ids.filter { half.state($0) == "missing missing" }
    #expect(missing.count == half.counts["missing"] && !missing.isEmpty && missing.count < 9)
    for id in missing { #expect(half.errors.contains("FAILED  \(id)")) }
    #expect(half.message(missing[0]).contains("shard 2/2"))
    #expect(try place.batch(nil, ["--shard", "2/2"]).status == 0)
    let result = try #require(
      try place.content().keys.first { $0.contains("items/\(missing[0])") })
    try FileManager.default.removeItem(atPath: place.folder.file("out/" + result))
    let one = try await merge()
    #expect(one.status == 10 && one.counts["missing"] == 1)
    #expect(one.state(missing[0]) == "missing missing")
  }

  @Test("merge keeps the exit code of an item that failed in a shard")
  func failuresAreMergedWithTheirCodes() async throws {
    try Data("no media".utf8).write(to: place.folder.url("in/3.wav"))
    let codes = try (1...2).map { try place.batch(nil, ["--shard", "\($0)/2"]).status }
    #expect(codes.sorted() == [0, 10])
    let merged = try await merge()
    #expect(merged.status == 10 && merged.counts["failed"] == 1 && merged.code("3.wav") == 3)
  }

  @Test("merge refuses shards of another division or with other options")
  func mixturesAreRefused() async throws {
    #expect(try place.batch(nil, ["--shard", "1/2"]).status == 0)
    #expect(try await merge(["--shards", "3"]).status == 2)
    let other = try await merge(["-l", "-20"])
    #expect(other.status == 2 && other.errors.contains("another manifest"), "\(other.errors)")
    #expect(try place.batch(nil, ["--shard", "1/3"]).status == 0)
    let mixed = try await merge()
    #expect(mixed.status == 2 && mixed.errors.contains("of 2 and of 3"), "\(mixed.errors)")
  }
}
