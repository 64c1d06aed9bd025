// SPDX-License-Identifier: Apache-2.0
import Foundation
import Rendering
import Report
import TestSupport

/// One render in a folder of its own.
struct RenderCase {
  let folder: TemporaryFolder
  var job: RenderJob

  /// A job for headphones on `data` written to a file with this name.
  init(_ data: Data, name: String = "in.wav") throws {
    folder = try TemporaryFolder()
    try data.write(to: folder.url(name))
    job = RenderCase.job(folder.file(name), folder)
  }

  /// A job for headphones on an existing file.
  init(path: String) throws {
    folder = try TemporaryFolder()
    job = RenderCase.job(path, folder)
  }

  var outputPath: String { folder.file("out.wav") }

  func run() async throws -> RenderReport { try await RenderPipeline().render(job) }

  func decoded() throws -> Decoded { try Decoded(outputPath) }

  private static func job(_ path: String, _ folder: TemporaryFolder) -> RenderJob {
    RenderJob(input: .file(path), outputs: [.init(location: .file(folder.file("out.wav")))])
  }
}
