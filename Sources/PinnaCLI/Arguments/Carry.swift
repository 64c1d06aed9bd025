/// Values of `--video` and `--subtitles`.
enum Carry: String, CaseIterable {
  case copy
  case drop
}
