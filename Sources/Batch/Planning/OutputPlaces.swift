// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The places of a batch's outputs: no two are the same, none is out of the folder, none is an input.
struct OutputPlaces {
  private let root: String
  /// The output folder's path without symbolic links; `nil` when it doesn't exist.
  private let realRoot: String?
  /// Ids by place in lower case: file systems may take names for the same that differ in case only.
  private var owners: [PathName: String] = [:]
  /// Ids of outputs that lie in a folder, by its place.
  private var parents: [PathName: String] = [:]
  private var folders: [PathName: String?] = [:]
  private var files: [(path: String, id: String)] = []
  private var inputIdentities: [[UInt64]: String] = [:]

  init(root: String) {
    self.root = root
    realRoot = PathParts.real(root)
  }

  /// Notes the outputs of `item`.
  /// - Returns: what is wrong with them.
  mutating func add(_ item: BatchItem) -> [String] {
    var problems: [String] = []
    for path in item.files {
      files.append((path, item.id))
      let first = PathParts.of(path).first?.lowercased()
      guard first != ResultStore.folderName else {
        problems.append("its output \(path) lies in Pinna's own folder; give it another name")
        continue
      }
      guard let place = place(of: path) else {
        problems.append(
          "its output \(path) leads out of the output folder through a link; give it another name")
        continue
      }
      if let other = clash(place.lowercased(), item.id) {
        problems.append(
          "its output \(path) and one of \(other) can't both be there: one is a file, the other a "
            + "folder of that name; give names that differ")
        break
      }
      guard let other = owners.updateValue(item.id, forKey: PathName(place.lowercased())) else {
        continue
      }
      let who = PathName(other) == PathName(item.id) ? "another output of this job" : other
      problems.append(
        "its output \(path) is also that of \(who); give names that differ, such as "
          + "--name '{id}.{ext}'")
      // One fault for each item is enough.
      break
    }
    return problems
  }

  /// Whether an output of another item has this place already.
  mutating func isTaken(_ path: String) -> Bool {
    place(of: path).map { owners[PathName($0.lowercased())] != nil } ?? false
  }

  /// Notes the folders above a file.
  /// - Returns: whose output is a folder where this is a file, or the other way round.
  private mutating func clash(_ place: String, _ id: String) -> String? {
    if let other = parents[PathName(place)] { return other }
    var above = place
    while PathParts.hasFolder(above) {
      above = PathParts.folder(of: above)
      if let other = owners[PathName(above)] { return other }
      parents[PathName(above)] = id
    }
    return nil
  }

  /// Notes the files that are read.
  mutating func inputs(_ sources: [(path: String, name: String)]) {
    for (path, name) in sources {
      if let identity = FolderListing.identity(path) { inputIdentities[identity] = name }
    }
  }

  /// Outputs that are an input.
  var faultsWithInputs: [PlanFault] {
    guard realRoot != nil else { return [] }
    return files.compactMap { path, id in
      guard let identity = FolderListing.identity(PathParts.joined(root, path)),
        let input = inputIdentities[identity]
      else { return nil }
      return PlanFault(
        place: id, sentence: "its output \(path) is the input \(input); give another name or folder"
      )
    }
  }

  /// The path without symbolic links, as far as its folders exist.
  private mutating func place(of path: String) -> String? {
    guard let realRoot else { return path }
    let folder = OutputPlaces.folder(of: path)
    guard let real = realFolder(folder, realRoot) else { return nil }
    return (real.isEmpty ? "" : real + "/") + PathParts.split(path).name
  }

  private mutating func realFolder(_ folder: String, _ realRoot: String) -> String? {
    if folder.isEmpty { return "" }
    if let known = folders[PathName(folder)] { return known }
    let result: String?
    if let real = PathParts.real(PathParts.joined(realRoot, folder)) {
      let isRoot = PathName(real) == PathName(realRoot)
      result = isRoot ? "" : PathParts.rest(of: real, below: realRoot)
    } else {
      result = realFolder(OutputPlaces.folder(of: folder), realRoot).map {
        ($0.isEmpty ? "" : $0 + "/") + PathParts.split(folder).name
      }
    }
    folders[PathName(folder)] = result
    return result
  }

  /// The folder of a relative path; empty for a name alone.
  private static func folder(of path: String) -> String {
    PathParts.hasFolder(path) ? PathParts.folder(of: path) : ""
  }
}

/// Something that is wrong with a plan, and where.
struct PlanFault: Equatable {
  /// File, line or id; `nil` when the sentence names it.
  let place: String?
  /// Fault and remedy.
  let sentence: String

  /// The faults as errors: one that many places share is reported once.
  static func sentences(_ faults: [PlanFault]) -> [MediaError] {
    var order: [String] = []
    var places: [String: [String]] = [:]
    for fault in faults {
      if places[fault.sentence] == nil { order.append(fault.sentence) }
      places[fault.sentence, default: []] += [fault.place].compactMap { $0 }
    }
    return order.map { sentence in
      let all = places[sentence] ?? []
      let others = all.count - 1
      let place = all.first.map { $0 + (others > 0 ? " and \(others) more" : "") + ": " } ?? ""
      return MediaError(.usage, place + sentence)
    }
  }
}
