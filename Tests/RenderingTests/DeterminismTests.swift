// SPDX-License-Identifier: Apache-2.0
import Foundation
import Rendering
import TestSupport
import Testing

/// Same samples for every block size and every run.
@Suite struct DeterminismTests {
  @Test("the hash of a render is the same for all block sizes and runs", arguments: [6, 2])
  func hashesAgreeForAllBlockSizesAndRuns(channels: Int) async throws {
    let mask: UInt32? = channels == 6 ? 0x60F : nil
    var test = try RenderCase(TestProgramme.wav(channels: channels, seconds: 1.7, mask: mask))
    test.job.policy.overwrite = true
    var hashes: [String] = []
    var files: [Data] = []
    for size in [nil, nil, 1, 256, 480, 1024, 1 << 20] {
      test.job.blockSize = size
      let report = try await test.run()
      hashes.append(report.outputs[0].pcmSHA256)
      files.append(try Data(contentsOf: URL(fileURLWithPath: test.outputPath)))
      #expect(report.loudness?.limiter != nil || channels == 2, "the limiter should have work")
    }
    #expect(Set(hashes).count == 1)
    #expect(Set(files).count == 1, "whole files repeat, headers too")
  }

  @Test("the number of threads changes no bit of a render") func threadsChangeNothing() async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 4, mask: 0x60F))
    test.job.policy.overwrite = true
    var files: [Data] = []
    for threads in [1, 2, 8] {
      test.job.policy.threads = threads
      _ = try await test.run()
      files.append(try Data(contentsOf: URL(fileURLWithPath: test.outputPath)))
    }
    #expect(Set(files).count == 1)
  }

  @Test("spooling to the disk changes no bit of a render") func spoolingToDiskChangesNothing()
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 4))
    test.job.policy.overwrite = true
    let inMemory = try await test.run()
    test.job.policy.spoolMemory = 1
    let onDisk = try await test.run()
    #expect(inMemory.outputs == onDisk.outputs)
  }

  @Test("the reported hash is the SHA-256 of the data chunk", .tags(.system), .fullRunOnly)
  func hashIsThatOfTheDataChunk() async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    let report = try await test.run()
    let script =
      "import sys,hashlib;d=open(sys.argv[1],'rb').read();i=d.find(b'data');"
      + "n=int.from_bytes(d[i+4:i+8],'little');print(hashlib.sha256(d[i+8:i+8+n]).hexdigest())"
    let oracle = try Tool.run("python3", ["-c", script, test.outputPath])
    let digest = String(decoding: oracle.output, as: UTF8.self)
    #expect(digest.trimmingCharacters(in: .whitespacesAndNewlines) == report.outputs[0].pcmSHA256)
  }
}
