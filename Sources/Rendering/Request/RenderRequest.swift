// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Spatial

/// Everything that a run is asked for, as one value.
///
/// A request states the goal in the user's terms; ``RenderPlan`` states the processing, which is
/// only known once the input has been opened.
public struct RenderRequest: Sendable, Hashable, Codable {
  /// Version of the value's JSON; a batch's key begins with it.
  public static let version = 1

  /// The stretches of inputs that the programme is made of. This version takes one.
  public var clips: [Clip]
  /// The outputs: one decode, one rendering each.
  public var outputs: [OutputRequest]
  /// Whether all outputs get one gain, which brings them together to their common target, so that they keep
  /// their levels to each other.
  public var sharesGain = false
  /// How loud and quiet parts are evened out, in all outputs alike; `nil` is one constant gain.
  public var levelling: LevelRequest?
  /// How the run behaves.
  public var policy = Policy()
  /// Choices made before, such as a preset; they are listed in the report.
  public var decisions: [Decision] = []

  /// A request for `outputs` made of `clips`.
  public init(clips: [Clip], outputs: [OutputRequest]) {
    self.clips = clips
    self.outputs = outputs
  }

  /// A request for `outputs` made of all of `input`.
  public init(_ input: MediaLocation, outputs: [OutputRequest]) {
    self.init(clips: [Clip(input)], outputs: outputs)
  }

  /// Refuses what is known to fail before anything is opened.
  /// - Throws: ``MediaError`` of kind `usage` that names the option as the command line spells it.
  public func validate() throws { try RequestRules.check(self) }

  /// The input's name for messages and progress: that of the first clip.
  public var name: String { clips.first?.input.name ?? "" }

  /// The setting that needs to know of the programme's dialogue; `nil` for none.
  var askedOfDialogue: Setting? {
    if levelling != nil { return .levelling }
    if outputs.contains(where: { $0.rendition?.level?.anchor == .dialogue }) { return .anchor }
    return clips.first?.dialogueGain.map { _ in .dialogueLift }
  }

  /// Whether the sound is copied, not rendered.
  package var isCopy: Bool { outputs.contains(where: \.isCopy) }
}

/// How loud and quiet parts of a programme are evened out, slowly and around its dialogue.
public struct LevelRequest: Sendable, Hashable, Codable {
  /// How far and how quickly.
  public var mode: LevelMode
  /// Spread of the short-term loudness that is wanted, 2…20 LU; `nil` for the mode's.
  public var range: Double?

  /// Levelling by `mode`.
  public init(_ mode: LevelMode, range: Double? = nil) { (self.mode, self.range) = (mode, range) }
}

/// How a run behaves; none of it changes what a successful run writes, except ``isPortable`` and ``tapFailure``.
public struct Policy: Sendable, Hashable, Codable {
  /// Whether existing outputs may be replaced.
  public var overwrite = false
  /// Whether degradations fail the run.
  public var isStrict = false
  /// The classes of degradations that fail a strict run; `nil` for all.
  public var strictClasses: [DegradationClass]?
  /// Whether to stop before rendering.
  public var isDryRun = false
  /// Whether libav's plain C code is used, which gives the same bits on every processor.
  public var isPortable = false
  /// Threads of one run, 1 or more: with two, reading and decoding go on beside rendering, and measuring
  /// beside writing. More change nothing, and the output doesn't depend on it.
  public var threads = 2
  /// Samples a block, 1 or more; the output doesn't depend on it. `nil`: as the decoder delivers.
  public var blockSize: Int?
  /// Bytes of rendered audio held in memory before a temporary file takes over.
  public var spoolMemory = 8 << 20
  /// Cache of rendered items of queues between runs; `nil` for none.
  public var segments: SegmentPolicy?
  /// Consequence of a tap's failure in the sound or in its trial.
  public var tapFailure = TapFailure.fail
  /// Bytes that the samples of all outputs may take together, before any codec; `nil` is no limit.
  public var outputLimit: Int64?

  /// The consequence of a tap's failure for the run.
  public enum TapFailure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The run fails.
    case fail
    /// The run begins again without the tap, and says so.
    case bypass
  }

  /// The default behaviour.
  public init() {}
}

/// The cache of rendered items between runs; none of it changes what is written.
public struct SegmentPolicy: Sendable, Hashable, Codable {
  /// The folder.
  public var folder: String
  /// Bytes that it may hold.
  public var limit: Int64
  /// Whether items that are found are rendered as well and compared.
  public var isVerified = false
  /// Time of the programme before which no sample may differ from the run before that wrote the same output; `nil`
  /// for any.
  public var unchangedBefore: TimeSpec?

  /// A cache in `folder` of at most `limit` bytes, by default 4 GiB.
  public init(folder: String, limit: Int64 = 4 << 30) {
    self.folder = folder
    self.limit = limit
  }
}

/// The part of a request that decides what its outputs are like, as text. Equal requests give the
/// same text in every process: canonical JSON with the request's version in front.
package struct RequestIdentity: Sendable, Equatable {
  /// The text; the input and the content of ``companions`` aren't in it.
  package let text: String
  /// Files read besides the input: HRTF sets, subtitles.
  package let companions: [String]

  /// The identity of `request`.
  /// - Throws: `EncodingError`.
  package init(_ request: RenderRequest) throws {
    var settled = request
    var companions: [String] = []
    for index in settled.clips.indices {
      settled.clips[index].input = .standardStream
      settled.clips[index].decoding.bounds = .init()
    }
    for index in settled.outputs.indices {
      RequestIdentity.settle(&settled.outputs[index], &companions)
    }
    // Of the policy, only these decide what is written or whether a run succeeds.
    let isPortable = request.policy.isPortable
    settled.policy = Policy()
    settled.policy.isPortable = isPortable
    settled.policy.isStrict = request.policy.isStrict
    settled.policy.strictClasses = request.policy.strictClasses
    text = "request/\(RenderRequest.version) " + (try ReportJSON.line(settled))
    self.companions = companions
  }

  /// Replaces names of files that are read by a mark, since their content decides.
  private static func settle(_ output: inout OutputRequest, _ companions: inout [String]) {
    if case .file(let path) = output.carriage.subtitles {
      companions.append(path)
      output.carriage.subtitles = .file("")
    }
    if let cover = output.carriage.cover {
      companions.append(cover)
      output.carriage.cover = ""
    }
    guard case .render(var rendition, let container) = output.work else { return }
    if let path = rendition.endpoint.hrtf?.choice.path {
      companions.append(path)
      rendition.endpoint = rendition.endpoint.withHRTF(.file(""))
    }
    rendition.endpoint = rendition.endpoint.withoutLogName
    for index in rendition.taps.indices {
      guard let path = rendition.taps[index].work.path else { continue }
      companions.append(path)
      rendition.taps[index].work = rendition.taps[index].work.renamed("")
    }
    output.work = .render(rendition, container)
  }
}

extension Endpoint {
  /// This endpoint with another HRTF set; one without a set stays as it is.
  fileprivate func withHRTF(_ choice: HRTFRequest.Choice) -> Endpoint {
    switch self {
    case .headphones(var listener):
      listener.hrtf?.choice = choice
      return .headphones(listener)
    case .speakers(var pair):
      pair.hrtf?.choice = choice
      return .speakers(pair)
    case .channels: return self
    }
  }

  /// This endpoint without the name of the log that a head moves by: its poses stand in the request.
  fileprivate var withoutLogName: Endpoint {
    guard case .headphones(var listener) = self, case .moving(var trajectory) = listener.head
    else { return self }
    trajectory.origin = nil
    listener.head = .moving(trajectory)
    return .headphones(listener)
  }
}

/// The surroundings of a run. They are no part of the request, because they don't change what is
/// rendered.
public struct RenderEnvironment: Sendable {
  /// Folder that keeps what was read of SOFA files; `nil` keeps nothing.
  public var cacheFolder: String?
  /// Folder that keeps what trials of plugins showed; `nil` keeps nothing.
  public var tapFolder: String?
  /// Process in which SOFA files are parsed. A program that must survive malicious files gives a reading that
  /// parses them in another process.
  public var sofaReading = SOFAReading.inProcess
  /// HRTF sets that renders of this process share; `nil` makes each anew.
  package var sharedSets: SharedSets?
  /// How programs of the user's are started.
  package var programs = ProgramLauncher()

  /// No cache, no separate process for SOFA files.
  public init() {}
}
