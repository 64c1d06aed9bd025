// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import ADM

/// Reads the files beside the checkout that hold definition metadata.
enum ADMCases {
  /// The bytes of one file below the folder.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: ObjectCases.path(path))))
  }

  /// The container of one case.
  static func container(_ id: String, findings: FindingLog = FindingLog()) throws -> ADMContainer {
    try ADMContainer(WAVFile.source(bytes("cases/\(id)/input.wav")), findings: findings)
  }
}
