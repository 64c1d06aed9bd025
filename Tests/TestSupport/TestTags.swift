import Foundation
import Testing

extension Tag {
  /// Needs the media beside the checkout (`../shared`).
  @Tag package static var media: Self
  /// Starts other programs: the product, ffmpeg, a shell.
  @Tag package static var system: Self
  /// Takes more than a second or so.
  @Tag package static var slow: Self
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test or suite out of `make test-fast`; stands beside ``Testing/Tag/slow`` and
  /// ``Testing/Tag/system``, by which Swift 6.3 can't choose on the command line.
  package static var fullRunOnly: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["PINNA_FAST"] == "1", "left out of the fast run")
  }
}
