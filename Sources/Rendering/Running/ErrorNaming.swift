import AudioCore
import LibAV

extension MediaError {
  /// Puts `name` in front of the message of an error that `body` throws, unless it is there
  /// already.
  package static func naming<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as MediaError where !error.message.contains(name) {
      throw MediaError(error.kind, "\(name): \(error.message)")
    }
  }

  /// Any error as a ``MediaError`` about `input`.
  package init(any error: any Error, input: String) {
    switch error {
    case let known as MediaError: self = known
    case let code as LibAVError:
      self.init(
        code.meaning == .outOfMemory ? .outOfResources : .internal, "\(input): libav: \(code)")
    default: self.init(.internal, "\(input): \(error)")
    }
  }
}
