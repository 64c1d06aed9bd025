/// Values of `--virtualizer`, `--hrtf-symmetry` and `--room-tail`.
enum Switch: String, CaseIterable {
  case on
  case off
}
