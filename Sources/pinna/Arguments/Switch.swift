/// Values of `--virtualizer` and `--hrtf-symmetry`.
enum Switch: String, CaseIterable {
  case on
  case off
}
