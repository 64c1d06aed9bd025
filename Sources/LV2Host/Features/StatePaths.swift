import CLilv
import Platform

/// Where a plugin may keep files of its state: in the scratch folder.
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
      let name = String(cString: path).split(separator: "/").last.map(String.init) ?? "file"
      return strdup("\(paths.folder)/\(name)")
    }
  }

  /// Frees what the others gave.
  var freeing: LV2_State_Free_Path {
    LV2_State_Free_Path(handle: handle) { _, path in free(path) }
  }
}
