import AudioCore
import LibAV

extension MediaError {
  /// Makes what `body` throws a failure about `name`, unless it says what it is about.
  package static func naming<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError where !error.message.contains(name) {
      throw MediaError(error.kind, about: name, "\(error.message)")
    }
  }

  /// What `body` gives; any error names the tap that `name` calls so, also one of a type of the tap's own.
  static func ofTap<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try naming(name, body)
    } catch let error where !(error is MediaError) {
      throw MediaError(any: error, input: name)
    }
  }

  /// Any error as a ``MediaError`` about `input`.
  package init(any error: any Error, input: String) {
    switch error {
    case let known as MediaError: self = known
    case let code as LibAVError:
      self.init(
        code.meaning == .outOfMemory ? .outOfResources : .internal, about: input,
        "libav: \(code)", cause: code)
    default: self.init(.internal, about: input, "\(error)", cause: error)
    }
  }
}
