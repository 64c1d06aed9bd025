import Batch

extension InputArguments {
  /// The options that differ from their defaults, about what is heard, as they are typed.
  var flags: String {
    let objects = objectArguments
    let values: [(String, String?)] = [
      ("--audio", audio == "default" ? nil : audio), ("--layout-in", layoutIn),
      ("--presentation", presentation), ("--dialog-enhancement", dialogEnhancement),
      ("--drc", drc == "off" ? nil : drc), ("--on-damage", onDamage == "fail" ? nil : onDamage),
      ("--objects", objects.objects == "auto" ? nil : objects.objects),
      ("--programme", objects.programme), ("--importance", objects.importance.map(String.init)),
      ("--headphone-modes", objects.headphoneModes == "follow" ? nil : objects.headphoneModes),
    ]
    let lists =
      objects.changes.map { ("--object", $0) } + objects.complements.map { ("--complementary", $0) }
      + inputOptions.map { ("--in-opt", $0) }
    return (values.compactMap { name, value in value.map { (name, $0) } } + lists)
      .map { "\($0) \(ShellText.quoted($1))" }.joined(separator: " ")
  }
}
