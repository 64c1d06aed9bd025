/// Memory of C values that stay in their places as long as this object.
final class Arena {
  private var pointers: [UnsafeMutableRawPointer] = []

  deinit { for pointer in pointers { pointer.deallocate() } }

  /// A place that holds `value`, which needs no cleaning up.
  func make<Value>(_ value: Value) -> UnsafeMutablePointer<Value> { make([value]) }

  /// Places that hold `values`, one behind the other.
  func make<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    place.initialize(from: values, count: values.count)
    pointers.append(UnsafeMutableRawPointer(place))
    return place
  }

  /// A copy of `text` for C.
  func make(_ text: String) -> UnsafeMutablePointer<CChar> { make(Array(text.utf8CString)) }
}
