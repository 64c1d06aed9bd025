// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import PlayQueue

/// The rights that a request needs to files, programs and the network, judged by its words alone: no input is opened.
package enum RequestRights {
  /// Endings of the names of lists of files. Such a list names files in its own folder.
  private static let lists: Set<String> = [
    "m3u", "m3u8", "cue", "pls", "xspf", "otio", "yaml", "yml", "json",
  ]

  /// Rights that rendering `request` in `environment` needs besides ``SandboxPolicy/system``. Folders of caches that it uses are
  /// made.
  package static func policy(
    of request: RenderRequest, in environment: RenderEnvironment
  ) -> SandboxPolicy {
    var policy = SandboxPolicy()
    for clip in request.clips { policy.add(rights(of: clip)) }
    for output in request.outputs { policy.add(rights(of: output, in: environment)) }
    if let segments = request.policy.segments { policy.add(cache(segments.folder)) }
    return policy
  }

  /// Rights to read the input at `path`, a file or a web address.
  package static func policy(ofInput path: String) -> SandboxPolicy {
    if WebAddress(path) != nil { return .network }
    var policy = SandboxPolicy()
    if let media = SheetInside.media(of: path) {
      policy.readFolder(of: media)
      return policy
    }
    policy.reads.insert(path)
    // A root names its other two files, which may have been renamed since.
    if MasterFiles.isRoot(path) { policy.readFolder(of: path) }
    guard isList(path) else { return policy }
    policy.readFolder(of: path)
    // Its items may name plugins.
    policy.add(plugins)
    return policy
  }

  /// Whether the name of `path` is that of a list of files.
  package static func isList(_ path: String) -> Bool {
    let name = PathParts.split(path).name
    return name.lowercased().split(separator: ".").dropFirst().last
      .map { lists.contains(String($0)) } ?? false
  }

  private static func rights(of clip: Clip) -> SandboxPolicy {
    var policy = SandboxPolicy()
    if let path = clip.decoding.bounds.authorities { policy.reads.insert(path) }
    switch clip.input {
    case .file(let path): policy.add(self.policy(ofInput: path))
    case .queue(let queue):
      for path in queue.files { policy.add(self.policy(ofInput: path)) }
      policy.reads.formUnion(queue.tapFiles)
    case .standardStream, .silence: break
    }
    if clip.decoding.bounds.isOffline { policy.usesNetwork = false }
    return policy
  }

  private static func rights(
    of output: OutputRequest, in environment: RenderEnvironment
  ) -> SandboxPolicy {
    var policy = SandboxPolicy()
    if case .file(let path) = output.location { policy.writeFolder(of: path) }
    for path in [output.carriage.chaptersFile].compactMap({ $0 }) + output.analysisFiles {
      policy.writeFolder(of: path)
    }
    let files = [output.carriage.subtitleFile, output.carriage.cover]
    policy.reads.formUnion(files.compactMap(\.self))
    guard let rendition = output.rendition else { return policy }
    if let path = rendition.endpoint.hrtf?.choice.path {
      policy.reads.insert(path)
      if let folder = environment.cacheFolder { policy.add(cache(folder)) }
    }
    for tap in rendition.taps { policy.add(rights(of: tap.work, in: environment)) }
    return policy
  }

  private static func rights(
    of work: Tap.Work, in environment: RenderEnvironment
  ) -> SandboxPolicy {
    var policy = SandboxPolicy()
    switch work {
    case .equalizer, .impulse: policy.reads.formUnion([work.path].compactMap { $0 })
    case .program(let request):
      if let word = request.words.first, let path = ProgramPlace.path(of: word) {
        policy.add(.program(path))
      }
      // Words that name files, such as a script.
      policy.reads.formUnion(request.words.dropFirst().filter { (try? LocalFile(path: $0)) != nil })
    case .plugin(let request):
      policy.add(plugins)
      if let path = request.statePath { policy.readFolder(of: path) }
      policy.reads.formUnion(request.settings.map(\.value).filter(PathParts.isAbsolute))
      if let folder = environment.tapFolder { policy.add(cache(folder)) }
    case .filters, .analysis, .own: break
    }
    return policy
  }

  /// Rights that plugins need: Pinna's host of them, and the folders that they are installed in.
  private static var plugins: SandboxPolicy {
    var policy = SandboxPolicy()
    guard let host = PluginHost.installed else { return policy }
    policy.runs.insert(PathParts.real(host.path) ?? host.path)
    policy.reads.formUnion(PluginHost.searched)
    return policy
  }

  private static func cache(_ folder: String) -> SandboxPolicy {
    var policy = SandboxPolicy()
    // A rule needs a folder that exists; without it nothing would be kept.
    if CacheFolder.make(folder) { policy.writes.insert(folder) }
    return policy
  }
}
