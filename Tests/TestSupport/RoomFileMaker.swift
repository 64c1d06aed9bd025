// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes SOFA files of rooms with h5py.
package enum RoomFileMaker {
  /// Whether the tests' Python can write them.
  package static var isThere: Bool { TestPython.has("h5py", "numpy") }

  /// Writes a room to `path`: loudspeakers 2 m away at `azimuths` degrees, whose responses are an impulse at sample 100 + their
  /// number and noise that falls by 60 dB in half a second, the right ear's at half the amplitude.
  /// - Parameters:
  ///   - convention: `MultiSpeakerBRIR`, whose loudspeakers are emitters; another one has a measurement for each loudspeaker and
  ///     view, those of each loudspeaker together.
  ///   - views: where the heads look, degrees to the left, or two by convention: ahead and 90° to the left with emitters, else ahead
  /// alone. The first of them hears it as above, the second hears it negated, and each pair of two more
  ///     hears it 3 samples later.
  ///   - change: Python that changes `ir`, measurement × ear (× emitter) × sample, or `rate`.
  ///   - afterwards: Python that changes the written `file`, which `place(name, values)` gives positions.
  package static func write(
    _ path: String, azimuths: [Double], convention: String = "MultiSpeakerBRIR",
    views: [Double]? = nil, samples: Int = 24_000, change: String = "", afterwards: String = "pass"
  ) throws {
    let hasEmitters = convention == "MultiSpeakerBRIR"
    let views = views ?? (hasEmitters ? [0, 90] : [0])
    let script = """
      import h5py, numpy as np, sys
      az = np.radians(\(azimuths)); count, taps, rate = len(az), \(samples), 48000
      rng = np.random.default_rng(1)
      places = 2 * np.stack([np.cos(az), np.sin(az), 0 * az], 1)
      one = rng.normal(size=(count, 2, taps)) * 10 ** (-3 * np.arange(taps) / rate / 0.5) * 0.02
      for speaker in range(count):
          one[speaker, :, :100 + speaker] = 0
          one[speaker, :, 100 + speaker] = 1
      one[:, 1] *= 0.5
      emitters, views = \(hasEmitters ? "True" : "False"), \(views)
      heard = np.stack([(-1) ** k * np.roll(one, 3 * (k // 2), 2) for k in range(len(views))], 1)
      ir = heard.transpose(1, 2, 0, 3) if emitters else heard.reshape(-1, 2, taps)
      look = [[view, 0, 1] for view in views]
      \(change)
      with h5py.File(sys.argv[1], "w") as file:
          def text(where, **pairs):
              for key, value in pairs.items(): where.attrs[key] = np.bytes_(value)
          def place(name, values, unit="metre", kind="cartesian"):
              text(file.create_dataset(name, data=np.array(values, float)), Type=kind, Units=unit)
          text(file, Conventions="SOFA", Version="2.1", SOFAConventions="\(convention)",
               DataType="FIR-E" if emitters else "FIR", RoomType="reverberant", Title="test")
          place("ListenerPosition", [[1, 1, 1.2]])
          place("ListenerUp", [[0, 0, 1]])
          place("ListenerView", look if emitters or len(look) == 1 else look * count, "degree, degree, metre", "spherical")
          place("ReceiverPosition", [[[0], [0.09], [0]], [[0], [-0.09], [0]]])
          place("SourcePosition", [[1, 1, 1.2]] if emitters else np.repeat(places, len(look), 0) + [1, 1, 1.2])
          place("EmitterPosition", places[:, :, None] if emitters else [[[0], [0], [0]]])
          file.create_dataset("Data.SamplingRate", data=np.array([float(rate)]))
          file.create_dataset("Data.IR", data=ir, chunks=True, compression="gzip", shuffle=True)
          file.create_dataset("Data.Delay", data=np.zeros((1, ir.shape[1]) + ir.shape[2:-1]))
          \(afterwards)
      """
    let result = try Tool.run(TestPython.path, ["-c", script, path])
    guard result.status == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSDebugDescriptionErrorKey: result.errors])
    }
  }
}
