// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CLilv
import Platform

/// The features that one instance of a plugin gets of its host.
final class HostFeatures {
  /// Addresses of the features offered.
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
  /// The features for state only, ended by `nil`, as lilv takes them.
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

/// The work that a plugin wants done outside its blocks, done at once, so that every run gives the same sound.
final class Worker {
  private var instance: UnsafeMutablePointer<LilvInstance>?
  private var interface: UnsafePointer<LV2_Worker_Interface>?
  /// Answers that the plugin gets behind the block.
  private var answers: [[UInt8]] = []

  /// Takes the plugin's side, once it has been made.
  func connect(_ instance: UnsafeMutablePointer<LilvInstance>) {
    self.instance = instance
    interface = lilv_instance_get_extension_data(instance, LV2URI.worker)?
      .assumingMemoryBound(to: LV2_Worker_Interface.self)
  }

  /// Hands the answers over that came in a block.
  func endBlock() {
    guard let instance, let interface else { return }
    while !answers.isEmpty {
      let waiting = answers
      answers.removeAll()
      for answer in waiting {
        answer.withUnsafeBytes { bytes in
          _ = interface.pointee.work_response?(
            instance.pointee.lv2_handle, UInt32(bytes.count), bytes.baseAddress)
        }
      }
    }
    _ = interface.pointee.end_run?(instance.pointee.lv2_handle)
  }

  /// The worker as plugins get it.
  var schedule: LV2_Worker_Schedule {
    LV2_Worker_Schedule(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, size, data in
      guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
      return Unmanaged<Worker>.fromOpaque(handle).takeUnretainedValue().work(size, data)
    }
  }

  private func work(_ size: UInt32, _ data: UnsafeRawPointer?) -> LV2_Worker_Status {
    guard let instance, let interface, let work = interface.pointee.work else {
      return LV2_WORKER_ERR_UNKNOWN
    }
    // The plugin's data may lie where its own work writes.
    let copy = [UInt8](UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size)))
    return copy.withUnsafeBytes { bytes in
      work(
        instance.pointee.lv2_handle,
        { handle, size, data in
          guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
          let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
          Unmanaged<Worker>.fromOpaque(handle).takeUnretainedValue().answers.append([UInt8](bytes))
          return LV2_WORKER_SUCCESS
        }, Unmanaged.passUnretained(self).toOpaque(), UInt32(bytes.count), bytes.baseAddress)
    }
  }
}

/// The paths at which a plugin may keep files of its state: in the scratch folder.
final class StatePaths {
  private let folder: String

  /// Paths in `folder`.
  init(folder: String) { self.folder = folder }

  private var handle: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Paths stay what they are.
  var mapping: LV2_State_Map_Path {
    LV2_State_Map_Path(
      handle: handle, abstract_path: { _, path in path.flatMap { strdup($0) } },
      absolute_path: { _, path in path.flatMap { strdup($0) } })
  }

  /// New files lie in the folder.
  var making: LV2_State_Make_Path {
    LV2_State_Make_Path(handle: handle) { handle, path in
      guard let handle, let path else { return nil }
      let paths = Unmanaged<StatePaths>.fromOpaque(handle).takeUnretainedValue()
      // A path with folders would lead elsewhere.
      let name = PathParts.of(String(cString: path)).last ?? "file"
      return strdup("\(paths.folder)/\(name)")
    }
  }

  /// Frees what the others gave.
  var freeing: LV2_State_Free_Path {
    LV2_State_Free_Path(handle: handle) { _, path in free(path) }
  }
}

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
