/// Receives the bytes of an output in order.
package protocol ByteSink: AnyObject {
  /// Takes bytes that follow those before.
  /// - Throws: ``MediaError`` when they can't be kept.
  func write(_ bytes: [UInt8]) throws

  /// Called before the bytes of fragment `index`, from 0, so that a sink may begin another file.
  /// - Throws: ``MediaError`` when it can't.
  func fragmentBegins(_ index: Int) throws
}

extension ByteSink {
  /// By default all fragments go into one file.
  package func fragmentBegins(_ index: Int) throws {}
}
