// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Tag {
  /// Needs the media beside the checkout (`../shared`).
  @Tag package static var media: Self
  /// Starts other programs: the product, ffmpeg, a shell.
  @Tag package static var system: Self
  /// Takes more than about a second.
  @Tag package static var slow: Self
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test or suite out of `make test-fast`. This trait accompanies ``Testing/Tag/slow`` and
  /// ``Testing/Tag/system``, because Swift 6.3 can't select tests by tags on the command line.
  package static var fullRunOnly: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["PINNA_FAST"] == "1", "left out of the fast run")
  }
}
