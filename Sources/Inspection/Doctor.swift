// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import Platform
import Rendering
import Signal
import Spatial

/// Checks that an installation can do its work.
package enum Doctor {
  /// The state of one examined thing.
  package enum State: String, Sendable {
    /// As it should be.
    case ok
    /// Usable; the detail says what is unusual.
    case note
    /// Pinna can't do all its work with it.
    case failed = "FAILED"
  }

  /// One thing that was looked at.
  package struct Finding: Sendable {
    package let subject: String
    package let state: State
    /// Figures, or what is wrong and what to do.
    package let detail: String

    init(_ subject: String, _ state: State, _ detail: String) {
      self.subject = subject
      self.state = state
      self.detail = detail
    }

    init(_ subject: String, _ detail: String) { self.init(subject, .ok, detail) }
  }

  /// Checks libraries, decoders, the HRTF set, the meter and the temporary folder.
  package static func examine() -> [Finding] {
    let versions = FFmpegVersions.current
    let flags = ProcessorCode.extensions.joined(separator: " ")
    return [Finding("pinna", PinnaVersion.text), ffmpegFinding(versions)]
      + versions.libraries.map { Finding($0.name, $0.loaded.description) }
      + [
        Finding("processor", flags.isEmpty ? "plain" : flags),
        decoderFinding(missing: CodecTraits.decoded.filter { !LibAVVersion.decodes($0.name) }),
        filterFinding(), pluginFinding(), confinementFinding(Confinement.powers),
        sandboxFinding(Sandbox.possible), hrtfFinding(),
        meterFinding(),
        temporaryFinding(),
      ]
  }

  /// Judges whether this is an FFmpeg that Pinna was tested with, and the one that it was built with.
  package static func ffmpegFinding(_ versions: FFmpegVersions) -> Finding {
    let codec = versions.codec
    let loaded = codec?.loaded.description ?? "none"
    let built = codec?.built.description ?? "none"
    var words = [
      "\(versions.testedRelease ?? versions.name) (libavcodec \(loaded)), built with \(built)"
    ]
    if versions.testedRelease == nil {
      let list = FFmpegVersions.tested.joined(separator: ", ")
      words.append("Pinna wasn't tested with this version, but with \(list)")
    }
    words += versions.otherLibraries.map {
      "\($0.name) is \($0.loaded), but Pinna was built with \($0.built)"
    }
    if versions.agreement == .otherMajor { words.append("build Pinna again with this FFmpeg") }
    let state: State =
      versions.agreement == .otherMajor ? .failed : words.count > 1 ? .note : .ok
    return Finding("FFmpeg", state, words.joined(separator: "; "))
  }

  /// Names the decoders that libavcodec was built without, and what each is for.
  package static func decoderFinding(missing: [CodecTraits]) -> Finding {
    let count = CodecTraits.decoded.count
    if missing.isEmpty { return Finding("decoders", "\(count) of \(count)") }
    let list = missing.map { "\($0.name) (\($0.use ?? "sound"))" }.joined(separator: ", ")
    return Finding(
      "decoders", .failed,
      "\(count - missing.count) of \(count); missing \(list); install a full libavcodec")
  }

  /// Tells whether filters can be used as taps.
  private static func filterFinding() -> Finding {
    guard let library = FilterLibrary.current else {
      return Finding(
        "libavfilter", .note,
        "\(FilterLibrary.fileName) isn't installed, so --tap avfilter can't be used; install FFmpeg's libavfilter"
      )
    }
    let missing = FilterRule.all.map(\.name).filter { !library.has($0) }
    let count = FilterRule.all.count
    let names = missing.isEmpty ? "" : "; missing \(missing.joined(separator: ", "))"
    return Finding(
      "libavfilter", "\(library.version), \(count - missing.count) of \(count) filters\(names)")
  }

  /// Tells whether LV2 plugins can be used as taps.
  private static func pluginFinding() -> Finding {
    PluginHost.installed.map { Finding("LV2 plugins", "hosted by \($0.path)") }
      ?? Finding(
        "LV2 plugins", .note,
        "\(PluginHost.name) isn't installed, so --tap lv2 can't be used; install liblilv-dev and build Pinna anew"
      )
  }

  /// Tells what programs of the user's can be kept from.
  package static func confinementFinding(_ powers: Confinement.Powers) -> Finding {
    let missing =
      (powers.guardsFiles ? [] : ["Landlock (files)"])
      + (powers.guardsNetwork ? [] : ["filters of system calls (network)"])
    guard !missing.isEmpty else {
      return Finding("programs", "kept from other folders and the network")
    }
    return Finding(
      "programs", .note,
      "this kernel has no \(missing.joined(separator: " and no ")), so they run with more rights")
  }

  /// Tells what a render in the sandbox is kept to.
  package static func sandboxFinding(_ state: SandboxState) -> Finding {
    guard let gap = state.gap else {
      return Finding(
        "sandbox",
        "Landlock \(state.landlock) and filters of system calls: \(state.held.joined(separator: ", "))"
      )
    }
    let held = state.held.isEmpty ? "nothing" : state.held.joined(separator: ", ")
    return Finding("sandbox", .note, "\(gap); it guards \(held)")
  }

  private static func hrtfFinding() -> Finding {
    do {
      let set = try HRTFSet.builtIn()
      return Finding(
        "HRTF set", "\(set.id), \(set.directionCount) directions, \(set.tapCount) taps")
    } catch {
      return Finding("HRTF set", .failed, "\(error)")
    }
  }

  /// A 997 Hz sine of amplitude 0.1 (−20 dBFS) in both channels measures −20 LUFS (EBU Tech 3341).
  private static func meterFinding() -> Finding {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let buffer = AudioBuffer(channels: 2)
    buffer.grow(by: 96_000)
    for channel in 0..<2 {
      let plane = buffer.channel(channel)
      for index in 0..<plane.count {
        plane[index] = Float(0.1 * sin(2 * Double.pi * 997 * Double(index) / 48_000))
      }
    }
    do {
      let meter = try LoudnessMeter(format: format)
      try meter.add(buffer)
      let level = meter.measurement().integrated ?? 0
      return Finding(
        "loudness meter", (level + 20).magnitude < 0.1 ? .ok : .failed,
        "reference tone measures \(Decibels.text(level)) LUFS, wanted -20.00")
    } catch {
      return Finding("loudness meter", .failed, "\(error)")
    }
  }

  private static func temporaryFinding() -> Finding {
    let folder = TemporaryFile.folder
    do {
      close(try JobFiles.unlinkedFile())
      return Finding("temporary files", folder)
    } catch {
      return Finding(
        "temporary files", .failed,
        "\(folder) can't be written; set TMPDIR to a folder that can")
    }
  }
}
