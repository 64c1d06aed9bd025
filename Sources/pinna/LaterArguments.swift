import ArgumentParser
import AudioCore

/// Options of the contract whose features aren't there yet: accepted by name, refused by value.
struct LaterArguments: ParsableArguments {
  @Option(name: .customLong("out-opt"), help: .hidden) var outputOptions: [String] = []

  /// Refuses whatever was given.
  func refuse() throws {
    let given: [(String, String?)] = [
      ("--out-opt", outputOptions.first)
    ]
    for (name, value) in given where value != nil {
      throw MediaError(
        .unsupportedFeature, "\(name): isn't supported yet by this version; leave it out")
    }
  }

  /// Refuses a value other than those that work.
  static func require(_ value: String, _ allowed: [String], _ option: String) throws {
    guard !allowed.contains(value) else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(option) \(value): isn't supported yet; this version takes "
        + allowed.joined(separator: " or "))
  }
}
