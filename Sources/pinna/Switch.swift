/// Values of `--virtualizer`.
enum Switch: String, CaseIterable {
  case on
  case off
}
