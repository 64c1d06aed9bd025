import CFFmpeg

/// An AVDictionary of options for an open call.
final class OpenOptions {
  var handle: OpaquePointer?

  init(_ values: [String: String]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      av_dict_set(&handle, key, value, 0)
    }
  }

  deinit { av_dict_free(&handle) }

  /// Keys that the open call didn't take.
  var unused: [String] { entries(of: handle).keys.sorted() }
}
