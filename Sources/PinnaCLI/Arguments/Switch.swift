/// Values of options that are on or off, such as `--virtualizer`.
enum Switch: String, CaseIterable {
  case on
  case off
}
