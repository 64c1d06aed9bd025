import AudioCore
import LibAV

extension MediaError {
  /// Makes what `body` throws a failure about `name`, unless it says what it is about.
  package static func naming<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError where !error.message.contains(name) {
      throw MediaError(error.kind, about: name, "\(error.message)", cause: error.cause)
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
