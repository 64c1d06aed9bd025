// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Testing

@testable import Batch

@Suite struct ShardTests {
  private func item(_ id: String, album: String? = nil) -> BatchItem {
    BatchItem(
      id: id, input: id, source: "/" + id, renders: [], album: album, golden: nil,
      isDeterministic: false)
  }

  @Test(
    "each item is in one shard, and no shard is much larger than the others",
    arguments: [1, 2, 3, 7, 40]) func everyItemHasOneShard(count: Int) throws
  {
    let items = (0..<500).map { item("item \($0)") }
    let shards = try (1...count).map { try Shard(index: $0, count: count) }
    for item in items { #expect(shards.count { $0.contains(item) } == 1) }
    // Very uneven shards would leave machines idle.
    for shard in shards {
      let share = items.count { shard.contains($0) }
      #expect(share < 3 * items.count / count + 10)
    }
  }

  @Test("the shard of an id is the same in each version")
  func assignmentNeverChanges() throws {
    // Results are kept for a long time. Another hash would assign items to other shards than before.
    let shards = try (1...4).map { try Shard(index: $0, count: 4) }
    let places = ["a", "b", "sub/file.wav", "ü"].map { id in
      shards.firstIndex { $0.contains(item(id)) }
    }
    #expect(places == [2, 2, 1, 0])
  }

  @Test("an album's items are in one shard")
  func albumsStayTogether() throws {
    let shards = try (1...5).map { try Shard(index: $0, count: 5) }
    let places = (0..<20).map { number in
      shards.firstIndex { $0.contains(item("\(number)", album: "one")) }
    }
    #expect(Set(places).count == 1)
  }

  @Test("the shard's number is read from the scheduler's variables")
  func schedulersSayWhichShardItIs() throws {
    let cases: [([String: String], Int)] = [
      (["SLURM_ARRAY_TASK_ID": "0"], 1),
      (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1"], 3),
      (["JOB_COMPLETION_INDEX": "2"], 3), (["AWS_BATCH_JOB_ARRAY_INDEX": "3"], 4),
    ]
    for (environment, index) in cases {
      #expect(try Shard(count: 4, environment: environment).index == index)
    }
    for environment in [[:], ["JOB_COMPLETION_INDEX": "4"], ["JOB_COMPLETION_INDEX": "x"]] {
      #expect(throws: MediaError.self) { try Shard(count: 4, environment: environment) }
    }
  }

  @Test(
    "a shard such as 0/4 or a/b is refused",
    arguments: ["0/4", "5/4", "1", "a/b", "1/0", "1/4/2", "-1/4"])
  func nonsenseIsRefused(text: String) {
    #expect(throws: MediaError.self) { try Shard(text) }
  }
}
