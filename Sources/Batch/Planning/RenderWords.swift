/// Arguments of `pinna render` for one output of one input: options, which many items share, and the two names.
package struct RenderWords: Sendable, Hashable {
  /// The options, without input and output.
  package var options: [String]
  /// The output.
  package var output: String
  /// The input.
  package var source: String

  /// Arguments.
  package init(options: [String], output: String, source: String) {
    self.options = options
    self.output = output
    self.source = source
  }

  /// All arguments.
  package var all: [String] { options + ["--output=\(output)", "--", source] }
}
