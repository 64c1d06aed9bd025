import CFFmpeg

/// An AVDictionary of options for an open call.
final class OpenOptions {
  var handle: OpaquePointer?

  /// The options of `values`.
  /// - Throws: ``LibAVError`` when there is no memory for them; an option that is missing may be one that protects.
  init(_ values: [String: String]) throws(LibAVError) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let stored = av_dict_set(&handle, key, value, 0)
      guard stored >= 0 else { throw LibAVError(code: stored) }
    }
  }

  deinit { av_dict_free(&handle) }

  /// Keys that the open call didn't take.
  var unused: [String] { TagText().entries(of: handle).keys.sorted() }
}
