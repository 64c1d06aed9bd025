// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata
import Signal

/// Decodes the objects of a stream of E-AC-3 (TS 103 420) from its access units and their decoded downmix.
///
/// The objects are on the downmix's clock: the samples by which they are later are left out at the
/// beginning and flushed at the end, so that they are as long as the downmix.
package final class JOCDecoder {
  /// Why there are no objects.
  package enum Lack: Equatable, Sendable {
    /// Coefficients are missing since the beginning or for more than half a second, or can't be used.
    case payloads
    /// They belong to another programme.
    case otherProgramme
    /// Samples came without an access unit.
    case samples
  }

  /// The faults met while decoding.
  package struct Findings: Equatable, Sendable {
    /// Access units.
    package var units = 0
    /// Units without usable coefficients; the objects kept the last ones.
    package var heldCoefficients = 0
    /// Units without usable metadata; the objects stayed where they were.
    package var heldMetadata = 0
    /// Payloads that didn't end where their syntax says.
    package var inexact = 0
    /// Programmes that followed the first one.
    package var programmes = 0
    /// Places where units are missing by their numbers.
    package var breaks = 0
    /// Whether an object asks to be played at two further places, which isn't done.
    package var leavesDivergence = false
  }

  /// Samples of an access unit.
  package static let frame = ObjectMixer.frame
  /// Units in a row, half a second, for which the last coefficients may stand in.
  private static let mostHeld = 16
  /// Units of another programme in a row that show it to be one, and not damage.
  private static let leastOther = 4

  /// Faults met so far.
  package private(set) var findings = Findings()

  private var programme: JOCProgramme
  private let channels: JOCChannels
  private let options: JOCOptions
  private let reader: JOCUnitReader
  private var mixer: ObjectMixer
  private let output: PlaneOutput
  private var timeline: ObjectTimeline
  /// Number of the last unit with coefficients, `joc_seq_count`.
  private var sequence: Int?
  /// Units in a row without usable coefficients; `nil` before the first usable ones.
  private var heldInRow: Int?
  /// Units in a row whose metadata belong to another programme, the same one in all of them.
  private var otherInRow = 0
  private var other: ObjectFrame.Assignment?
  /// Whether the last samples belonged to no access unit.
  private var lacksUnits = false
  /// Samples of the downmix so far.
  private var length: Int64 = 0
  private var inputs: [UnsafePointer<Float>] = []

  /// A decoder of a programme that a ``JOCSurvey`` found.
  /// - Parameters:
  ///   - downmix: layout of the decoded downmix.
  ///   - sampleRate: its rate in Hz.
  /// - Throws: ``JOCError/unsupported(_:)`` where a channel is missing that objects are mixed of, or at any
  ///   rate but 48 kHz.
  package init(
    _ programme: JOCProgramme, downmix: ChannelLayout, sampleRate: Int,
    _ options: JOCOptions = JOCOptions()
  ) throws(JOCError) {
    guard sampleRate == 48_000 else { throw .unsupported("objects at \(sampleRate) Hz") }
    (self.programme, self.options) = (programme, options)
    channels = JOCChannels(downmix)
    guard channels.indices(0) != nil else { throw .unsupported("objects in a \(downmix) downmix") }
    guard channels.lfe != nil || !programme.sources.contains(.lfe) else {
      throw .unsupported("an LFE that the downmix lacks")
    }
    reader = JOCUnitReader(options)
    mixer = ObjectMixer(options)
    output = PlaneOutput(programme)
    timeline = ObjectTimeline(programme.starts)
    inputs.reserveCapacity(CoefficientFrame.mostChannels)
  }

  /// Why objects aren't heard; the downmix is, where the programme has planes for it. `nil` where they are.
  package var lack: Lack? {
    if lacksUnits { return .samples }
    if otherInRow > 0 { return .otherProgramme }
    return heldInRow.map { $0 > JOCDecoder.mostHeld } ?? true ? .payloads : nil
  }

  /// Takes an access unit and appends what is complete to `block`, which has the programme's elements.
  /// - Parameters:
  ///   - unit: its bytes; empty where it is lost or damaged.
  ///   - downmix: its samples, ``frame`` in each plane, in the layout's order, without dynamic range control.
  /// - Throws: ``JOCError/unsupported(_:)`` for units of fewer than six blocks.
  package func decode(
    _ unit: UnsafeBufferPointer<UInt8>, _ downmix: AudioBuffer, into block: ProgrammeBlock
  ) throws(JOCError) {
    guard downmix.frames == JOCDecoder.frame, downmix.channels == channels.count else {
      throw .unsupported("an access unit of \(downmix.frames) samples")
    }
    findings.units += 1
    lacksUnits = false
    let isRead = read(unit)
    if isRead { heldInRow = 0 } else { heldInRow = heldInRow.map { $0 + 1 } }
    length += Int64(JOCDecoder.frame)
    takeInputs(downmix)
    mixer.process(inputs, isRead ? reader.coefficients : nil, into: output.mixed)
    output.takeLFE(channels.lfe.flatMap { downmix.channel($0).baseAddress }, mixer.gains)
    output.takeDownmix(downmix, isWanted: lack != nil)
    output.write(to: block, &timeline, end: .max)
  }

  /// Reads both payloads of a unit; answers whether it has coefficients that can be used.
  private func read(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
    let container = MetadataScanner.container(in: unit)
    if let container, readObjects(unit, container) {
      timeline.add(
        reader.objects, start: length, delay: container.objects?.sampleOffset ?? 0,
        objects: programme.objects)
    } else {
      findings.heldMetadata += 1
    }
    let isRead = container.map { otherInRow == 0 && readCoefficients(unit, $0) } ?? false
    if !isRead { findings.heldCoefficients += 1 }
    return isRead
  }

  /// Appends what is left behind the last unit. The next unit begins a stretch of its own.
  package func finish(into block: ProgrammeBlock) {
    while output.next < length {
      mixer.process(nil, nil, into: output.mixed)
      output.takeLFE(nil, mixer.gains)
      output.write(to: block, &timeline, end: length)
    }
    mixer = ObjectMixer(options)
    output.beginAnew()
    timeline.beginAnew()
    (sequence, heldInRow, otherInRow, length) = (nil, nil, 0, 0)
  }

  /// Appends samples that belong to no access unit, of any number, as they are: what is left before them, then
  /// the downmix. The next unit begins a stretch of its own.
  package func pass(_ downmix: AudioBuffer, into block: ProgrammeBlock) {
    finish(into: block)
    lacksUnits = true
    output.append(downmix, to: block)
  }

  /// Points ``inputs`` at the channels that the last coefficients mix.
  private func takeInputs(_ downmix: AudioBuffer) {
    inputs.removeAll(keepingCapacity: true)
    for index in channels.indices(reader.coefficients.configuration) ?? [] {
      if let base = downmix.channel(index).baseAddress { inputs.append(UnsafePointer(base)) }
    }
  }

  /// Reads coefficients; answers whether they can be used.
  private func readCoefficients(
    _ unit: UnsafeBufferPointer<UInt8>, _ container: MetadataContainer
  ) -> Bool {
    let frame = reader.coefficients
    let before = frame.configuration
    guard (try? reader.readCoefficients(unit, container)) == true, frame.count == programme.mixed,
      channels.indices(frame.configuration) != nil
    else {
      // The last usable coefficients hold on, and with them the channels that they mix.
      frame.configuration = before
      return false
    }
    if !frame.endsExactly { findings.inexact += 1 }
    // The numbers go from 1 to 1023 and around; 0 begins anew.
    if let sequence, frame.sequence != 0, frame.sequence != sequence % 1023 + 1 {
      findings.breaks += 1
    }
    sequence = frame.sequence
    return true
  }

  /// Reads metadata of objects; answers whether they can be used.
  private func readObjects(
    _ unit: UnsafeBufferPointer<UInt8>, _ container: MetadataContainer
  ) -> Bool {
    guard (try? reader.readObjects(unit, container)) == true else { return false }
    let assignment = reader.objects.assignment
    if assignment != programme.assignment, !adopt(assignment) { return false }
    otherInRow = 0
    if !reader.objects.endsExactly { findings.inexact += 1 }
    if reader.objects.hasDivergence { findings.leavesDivergence = true }
    return true
  }

  /// Takes another programme for what is heard from now on, once it has shown to be one; answers whether.
  /// Its objects begin behind the downmix, so that nobody hears planes change their objects.
  private func adopt(_ assignment: ObjectFrame.Assignment) -> Bool {
    otherInRow = assignment == other ? otherInRow + 1 : 1
    other = assignment
    guard otherInRow >= JOCDecoder.leastOther, output.playsDownmix,
      let fitted = programme.fitted(assignment)
    else { return false }
    programme = fitted
    output.take(fitted)
    timeline.beginAnew()
    findings.programmes += 1
    return true
  }
}

/// Readings of the standard on which sources differ. The defaults are those that measurements support.
package struct JOCOptions: Sendable, Hashable {
  /// Slots by which matrices are ahead of the subbands that they multiply; the standard's text has 0.
  package var alignment = 10
  /// Whether a steep change takes effect one slot before the one that the standard prints.
  package var isSteepEarly = true
  /// Whether sparse coding is read as the standard prints it.
  package var readsSparseAsPrinted = false
  /// Correction of the shift of left and right surround by 90°.
  package var rotation = Rotation.corrected

  /// The correction of the shift of left and right surround by 90°.
  package enum Rotation: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// A rotation of all subbands alike.
    case flat
    /// A rotation that leaves the lowest frequencies as they are.
    case corrected
  }

  /// The defaults.
  package init() {}
}

/// The channels of a downmix that objects are mixed of, by their loudspeakers.
struct JOCChannels {
  /// Number of channels of the downmix.
  let count: Int
  /// Number of the LFE.
  let lfe: Int?
  /// Channels for each `joc_dmx_config_idx`; `nil` where one is missing.
  private let table: [[Int]?]

  /// The channels of a downmix.
  init(_ layout: ChannelLayout) {
    count = layout.count
    lfe = layout.speakers.firstIndex(of: .lowFrequency)
    let front: [Speaker] = [.frontLeft, .frontRight, .frontCenter]
    let back: [Speaker] = [.backLeft, .backRight]
    let side: [Speaker] = [.sideLeft, .sideRight]
    let top: [Speaker] = [.topFrontLeft, .topFrontRight]
    // A single pair of surround channels may be called either.
    let surround = front + (layout.speakers.contains(.sideLeft) ? side : back)
    let wanted = [surround, front + side + back, surround + top, surround, surround + top]
    table = wanted.map { speakers in
      let indices = speakers.compactMap { layout.speakers.firstIndex(of: $0) }
      return indices.count == speakers.count ? indices : nil
    }
  }

  /// Channels L R C Ls Rs, then those behind or above, for a `joc_dmx_config_idx` of 0…4; `nil` where one
  /// is missing.
  func indices(_ configuration: Int) -> [Int]? { table[configuration] }
}

/// The fault that keeps objects of E-AC-3 from being decoded: all of them are faults of metadata.
package typealias JOCError = ObjectMetadataError

/// Reads the bits of metadata; what contradicts the syntax is a ``JOCError``.
typealias BitReader = ObjectBitReader
