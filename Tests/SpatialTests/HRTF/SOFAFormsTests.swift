// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Sets of directions in their three forms, and in the orders that files may have.
@Suite(
  .tags(.system),
  .enabled(if: RoomFileMaker.isThere, "h5py isn't there"),
  .enabled(if: SOFARefusalTests.hasKemar, "libmysofa's set is not installed"))
struct SOFAFormsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A copy of the installed set that `change`, in Python, has changed: `file` is open, `ir` holds its responses, `put(name, values)`
  /// replaces a data set, `text(name, value)` an attribute.
  private func twin(_ name: String, _ change: String) throws -> String {
    let script = """
      import h5py, numpy as np, shutil, sys
      shutil.copy(sys.argv[1], sys.argv[2])
      with h5py.File(sys.argv[2], "r+") as file:
          ir = file["Data.IR"][()].astype(float)
          def put(name, values):
              if name in file: del file[name]
              file.create_dataset(name, data=np.asarray(values, float))
          def text(name, value): file.attrs[name] = np.bytes_(value)
          def form(convention, kind):
              text("SOFAConventions", convention); text("DataType", kind); del file["Data.IR"]
          def functions(ir, first=0):
              form("SimpleFreeFieldHRTF", "TF")
              bins = np.fft.rfft(ir)[:, :, first:]
              put("Data.Real", bins.real); put("Data.Imag", bins.imag)
              put("N", np.fft.rfftfreq(ir.shape[2], 1 / 44100)[first:])
              del file["Data.SamplingRate"]
      \(change.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
      """
    let path = folder.file(name)
    let result = try Tool.run(TestPython.path, ["-c", script, SOFARefusalTests.kemar, path])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    return path
  }

  /// Level of the difference of two sets' responses below the first one's, dB.
  private func difference(_ one: HRTFMeasurements, _ other: HRTFMeasurements) -> Double {
    guard one.responses.count == other.responses.count else { return .infinity }
    let error = zip(one.responses, other.responses).reduce(0.0) { sum, pair in
      sum + pow(Double(pair.0) - Double(pair.1), 2)
    }
    return 10 * log10(error / one.responses.reduce(0.0) { $0 + pow(Double($1), 2) })
  }

  @Test(
    "a set and its twin of transfer functions have equal responses and renderings",
    arguments: [("even", "functions(ir)", 512), ("odd", "functions(ir[:, :, :511])", 511)])
  func transferFunctionsAreResponses(name: String, change: String, taps: Int) throws {
    let plain = try SOFAFile(
      path: twin("plain.sofa", "put('Data.IR', ir[:, :, :\(taps)])")
    ).measurements()
    let path = try twin("\(name).sofa", change)
    let twin = try SOFAFile(path: path).measurements()
    #expect(twin.taps == taps && twin.sampleRate == 44_100)
    #expect(twin.directions.map(\.azimuth) == plain.directions.map(\.azimuth))
    #expect(difference(plain, twin) < -120)
    let sets = try [folder.file("plain.sofa"), path].map { try HRTFSet.load(path: $0) }
    let ears = try sets.map { try Render.impulse(.frontLeft, in: "stereo", $0).ears }
    for ear in 0..<2 { #expect(Render.difference(ears[0][ear], ears[1][ear]) < -100) }
  }

  @Test(
    "transfer functions of responses that begin before time 0 keep the delay between the ears",
    arguments: [39, 60])
  func earlyResponsesAreTurned(samples: Int) throws {
    let path = try twin("early.sofa", "functions(np.roll(ir, -\(samples), 2))")
    let (plain, twin) = (
      try SOFAFile(path: SOFARefusalTests.kemar).measurements(),
      try SOFAFile(path: path).measurements()
    )
    func leads(_ set: HRTFMeasurements) -> [Double] {
      set.directions.indices.map { set.onset($0, ear: 0) - set.onset($0, ear: 1) }
    }
    #expect(leads(plain) == leads(twin))
  }

  @Test("transfer functions without 0 Hz differ by a constant alone") func zeroMayBeMissing() throws
  {
    let twin = try SOFAFile(path: twin("first.sofa", "functions(ir, first=1)")).measurements()
    let plain = try SOFAFile(path: SOFARefusalTests.kemar).measurements()
    for measurement in [0, 100, 700] {
      for ear in 0..<2 {
        let start = plain.offset(measurement, ear: ear)
        let rest = (start..<start + 512).map { twin.responses[$0] - plain.responses[$0] }
        let mean = rest.reduce(0, +) / 512
        #expect(rest.allSatisfy { abs($0 - mean) < 1e-6 })
      }
    }
  }

  @Test("filters in sections have the responses that their equations give")
  func sectionsAreFilters()
    throws
  {
    // Two sections: a decaying resonance, and a zero that delays, with another gain and angle for each direction and ear.
    let make = """
      count = ir.shape[0]; taps = 2048
      gain = 0.5 + np.abs(ir).max(2); angle = np.linspace(0.1, 2, count)[:, None] + np.zeros((count, 2))
      one = [gain, 0 * gain, 0 * gain, 1 + 0 * gain, -1.6 * np.cos(angle), 0.64 + 0 * gain]
      two = [2 + 0 * gain, gain, 0.25 + 0 * gain, 2 + 0 * gain, 0 * gain, 0 * gain]
      h = np.zeros((count, 2, taps)); x = np.zeros((count, 2, taps))
      for n in range(taps):
          x[:, :, n] = (gain if n == 0 else 0) - (one[4] * x[:, :, n - 1] if n > 0 else 0) - (0.64 * x[:, :, n - 2] if n > 1 else 0)
      for n in range(taps):
          h[:, :, n] = x[:, :, n] + (gain / 2 * x[:, :, n - 1] if n > 0 else 0) + (0.125 * x[:, :, n - 2] if n > 1 else 0)
      lead = np.argmax(np.abs(ir), 2)
      put("Data.Delay", lead)
      """
    let sections = try SOFAFile(
      path: twin(
        "sos.sofa",
        make + "\nform('SimpleFreeFieldHRSOS', 'SOS')\nput('Data.SOS', np.stack(one + two, 2))")
    ).measurements()
    let plain = try SOFAFile(path: twin("fir.sofa", make + "\nput('Data.IR', h)")).measurements()
    #expect(sections.taps < plain.taps && sections.delays == plain.delays)
    for measurement in stride(from: 0, to: 710, by: 50) {
      let (start, other) = (plain.offset(measurement, ear: 1), sections.offset(measurement, ear: 1))
      let peak = plain.responses[start..<start + plain.taps].reduce(0) { max($0, abs($1)) }
      #expect(
        (0..<sections.taps).allSatisfy {
          abs(plain.responses[start + $0] - sections.responses[other + $0]) < 1e-6 * peak
        })
    }
  }

  @Test("a file whose first receiver is the right ear gives the same set") func earsMayBeExchanged()
    throws
  {
    let path = try twin(
      "ears.sofa",
      """
      put('Data.IR', ir[:, ::-1])
      put('Data.Delay', file['Data.Delay'][()][:, ::-1])
      put('ReceiverPosition', [[[0], [-0.09], [0]], [[0], [0.09], [0]]])
      file['ReceiverPosition'].attrs['Type'] = np.bytes_('cartesian')
      """)
    let (plain, twin) = (
      try SOFAFile(path: SOFARefusalTests.kemar).measurements(),
      try SOFAFile(path: path).measurements()
    )
    #expect(plain.responses == twin.responses && plain.delays == twin.delays)
  }

  @Test("a wrong statement of the ears' order, and a type that is left out, change nothing")
  func statementsMayBeWrong() throws {
    let path = try twin(
      "statements.sofa",
      """
      put('ReceiverPosition', [[[0], [-0.09], [0]], [[0], [0.09], [0]]])
      put('ListenerUp', [[0, 90, 1]])
      """)
    let (plain, twin) = (
      try SOFAFile(path: SOFARefusalTests.kemar).measurements(),
      try SOFAFile(path: path).measurements()
    )
    #expect(plain.responses == twin.responses)
  }

  @Test("places in metres are the same directions") func placesMayBeCartesian() throws {
    let path = try twin(
      "places.sofa",
      """
      a, e, r = file['SourcePosition'][()].T
      a, e = np.radians(a), np.radians(e)
      put('SourcePosition', np.stack([r * np.cos(e) * np.cos(a), r * np.cos(e) * np.sin(a), r * np.sin(e)], 1))
      file['SourcePosition'].attrs['Type'] = np.bytes_('cartesian')
      """)
    let (plain, twin) = (
      try SOFAFile(path: SOFARefusalTests.kemar).measurements(),
      try SOFAFile(path: path).measurements()
    )
    for (one, other) in zip(plain.directions, twin.directions) {
      #expect(UnitVector.dot(UnitVector.of(one), UnitVector.of(other)) > 1 - 1e-9)
    }
  }

  @Test(
    "what no response can be made of is refused with its reason",
    arguments: [
      ("functions(ir)\nput('N', np.geomspace(20, 20000, 257))", "equal steps", false),
      ("functions(ir)\nput('N', np.arange(9))", "don't fit", false),
      ("text('DataType', 'TF')", "of the type FIR", false),
      ("text('SOFAConventions', 'FreeFieldHRTF')", "FreeFieldHRTF, which isn't read", true),
      (
        "put('ListenerView', [[0, 1, 0]])\nfile['ListenerView'].attrs['Type'] = np.bytes_('cartesian')",
        "ListenerView", true
      ),
      (
        "form('SimpleFreeFieldHRSOS', 'SOS')\nput('Data.SOS', np.tile([1, 0, 0, 1, -1.1, 0], (ir.shape[0], 2, 1)))",
        "no end", false
      ),
      (
        "form('SimpleFreeFieldHRSOS', 'SOS')\nput('Data.SOS', ir[:, :, :7])", "six coefficients",
        false
      ),
      (
        "form('SimpleFreeFieldHRSOS', 'SOS')\nput('Data.SOS', np.zeros((ir.shape[0], 2, 6)) + [0, 0, 0, 1, 0, 0])",
        "all zeros", false
      ),
      (
        "form('SimpleFreeFieldHRSOS', 'SOS')\nput('Data.SOS', np.tile([1, 0, 0, 1, -0.99978, 0], (ir.shape[0], 2, 1)))",
        "too long", false
      ),
      ("put('Data.IR', ir[:, :1])", "two ears", false),
      ("put('Data.SamplingRate', [44])", "sampling rate", false),
    ])
  func othersAreRefused(change: String, words: String, isUnsupported: Bool) throws {
    let path = try twin("bad.sofa", change)
    let error = #expect(throws: MediaError.self) { _ = try SOFAFile(path: path).measurements() }
    #expect(error?.kind == (isUnsupported ? .unsupportedFeature : .inputUnreadable))
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
