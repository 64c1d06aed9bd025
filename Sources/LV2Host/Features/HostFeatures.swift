import AudioCore
import CLilv

/// What one instance of a plugin gets of its host.
final class HostFeatures {
  /// What is offered, by address.
  static let offered: Set<String> = [
    LV2URI.map, LV2URI.unmap, LV2URI.options, LV2URI.boundedBlock, LV2URI.fixedBlock,
    LV2URI.powerOf2Block, LV2URI.coarseBlock, LV2URI.log, LV2URI.schedule, LV2URI.defaultState,
    LV2URI.mapPath, LV2URI.makePath, LV2URI.freePath, LV2URI.threadSafeRestore,
  ]
  /// Bytes of the buffers of messages; some plugins need more than 64 KiB.
  static let messageBytes = 1 << 20

  let worker = Worker()
  /// The features, ended by `nil`, as lilv takes them.
  let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  /// Those for state only, likewise.
  let stateList: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  private let paths: StatePaths
  /// Plugins have its address.
  private let map: URIDMap
  private let arena = Arena()

  /// Features for sound of `rate` Hz, with the numbers of `map`; files go to the folder `scratch`.
  init(_ map: URIDMap, rate: Int, scratch: String) {
    let arena = self.arena
    self.map = map
    paths = StatePaths(folder: scratch)
    func feature<Data>(_ uri: String, _ data: Data) -> UnsafePointer<LV2_Feature> {
      let feature = LV2_Feature(
        URI: UnsafePointer(arena.make(uri)), data: UnsafeMutableRawPointer(arena.make(data)))
      return UnsafePointer(arena.make(feature))
    }
    func mark(_ uri: String) -> UnsafePointer<LV2_Feature> {
      UnsafePointer(arena.make(LV2_Feature(URI: UnsafePointer(arena.make(uri)), data: nil)))
    }
    let state = [
      feature(LV2URI.mapPath, paths.mapping), feature(LV2URI.makePath, paths.making),
      feature(LV2URI.freePath, paths.freeing), feature(LV2URI.map, map.map),
      feature(LV2URI.unmap, map.unmap),
    ]
    let options = arena.make(HostFeatures.options(map, rate, arena))
    let optionFeature = UnsafePointer(
      arena.make(
        LV2_Feature(
          URI: UnsafePointer(arena.make(LV2URI.options)), data: UnsafeMutableRawPointer(options))))
    let others = [
      optionFeature, feature(LV2URI.log, clilv_log()), feature(LV2URI.schedule, worker.schedule),
      mark(LV2URI.boundedBlock), mark(LV2URI.fixedBlock), mark(LV2URI.powerOf2Block),
      mark(LV2URI.coarseBlock), mark(LV2URI.defaultState), mark(LV2URI.threadSafeRestore),
    ]
    list = arena.make((state + others).map(Optional.some) + [nil])
    stateList = arena.make((state + [others[2]]).map(Optional.some) + [nil])
  }

  private static func options(
    _ map: URIDMap, _ rate: Int, _ arena: Arena
  ) -> [LV2_Options_Option] {
    func option<Value>(_ key: String, _ type: String, _ value: Value) -> LV2_Options_Option {
      LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: map.number(key),
        size: UInt32(MemoryLayout<Value>.size), type: map.number(type),
        value: UnsafeRawPointer(arena.make(value)))
    }
    let block = Int32(PluginSession.block)
    return [
      option(LV2URI.minBlock, LV2URI.atomInt, block),
      option(LV2URI.maxBlock, LV2URI.atomInt, block),
      option(LV2URI.nominalBlock, LV2URI.atomInt, block),
      option(LV2URI.sequenceSize, LV2URI.atomInt, Int32(messageBytes)),
      option(LV2URI.parameterRate, LV2URI.atomFloat, Float(rate)),
      LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: 0, size: 0, type: 0, value: nil),
    ]
  }
}
