// SPDX-License-Identifier: Apache-2.0

/// One golden: what is run, why, and what the result is compared with (`case.json`).
package struct GoldenCase: Sendable, Codable, Equatable {
  /// How far an output may be from what was recorded where its hash doesn't decide.
  package struct Tolerance: Sendable, Codable, Equatable {
    /// Integrated loudness in LU, and true peak in dB where ``truePeak`` is missing.
    package var loudness = 0.1
    /// True peak in dB. Encoders of several versions that make a case's input move single peaks by more than the
    /// loudness.
    package var truePeak: Double?
    /// Level of any channel or octave in any second, in dB.
    package var level = 1.0

    /// The usual tolerance.
    package init() {}
  }

  /// The source of the first values; figures given here are compared with every run.
  package struct Oracle: Sendable, Codable, Equatable {
    /// Tool or document, and how it was asked.
    package var name: String
    /// Samples per channel of the first output.
    package var samples: Int64?
    /// Integrated loudness of the first output in LUFS.
    package var integrated: Double?
    /// Hash of the first output's samples.
    package var pcmSHA256: String?

    /// An oracle.
    package init(name: String) { self.name = name }
  }

  /// The program and machine that recorded the expected values.
  package struct Recording: Sendable, Codable, Equatable {
    /// Version of Pinna.
    package var pinna: String
    /// Versions of the libav libraries.
    package var libraries: [String: String]
    /// SIMD extensions in use.
    package var cpu: [String]
    /// Commit of the cases' repository; `nil` outside of one.
    package var commit: String?

    /// A recording.
    package init(pinna: String, libraries: [String: String], cpu: [String], commit: String?) {
      self.pinna = pinna
      self.libraries = libraries
      self.cpu = cpu
      self.commit = commit
    }
  }

  /// An intended change of the expected values.
  package struct Blessing: Sendable, Codable, Equatable {
    /// Why the new values are right.
    package var reason: String
    /// Program and machine that recorded the new values.
    package var recordedBy: Recording

    /// A blessing.
    package init(reason: String, recordedBy: Recording) {
      self.reason = reason
      self.recordedBy = recordedBy
    }
  }

  /// Name; that of its folder.
  package var id: String
  /// Behaviour that it guards.
  package var why: String
  /// Clause of a standard or number of a ticket.
  package var clause: String?
  /// Input, relative to the media folder or the case's own.
  package var input: String
  /// Arguments of pinna; `{input}` and `{out}` stand for the input and a folder for outputs.
  package var command: [String]
  /// Accounts of the input's start-up samples that are as right as the recorded one, such as
  /// `128 decoder`: some versions of libavcodec drop them, others hand them out and count them.
  package var accounts: [String]?
  /// Tolerance that decides where the hash doesn't.
  package var tolerance: Tolerance?
  /// Source of the values.
  package var oracle: Oracle
  /// Program and machine that recorded the expected values; `nil` before that.
  package var recordedBy: Recording?
  /// Changes since, oldest first.
  package var blessings: [Blessing]?

  /// A case that isn't recorded yet.
  package init(
    id: String, why: String, clause: String?, input: String, command: [String], oracle: Oracle
  ) {
    self.id = id
    self.why = why
    self.clause = clause
    self.input = input
    self.command = command
    self.oracle = oracle
  }

  /// Whether its samples don't depend on the processor.
  package var isDeterministic: Bool { command.contains("--deterministic") }

  /// Whether hashes of a run under `current` must be those recorded: libavcodec is the same, and
  /// the processor too unless the command is deterministic.
  package func bindsHash(_ current: Recording) -> Bool {
    guard let recordedBy else { return false }
    return recordedBy.libraries["libavcodec"] == current.libraries["libavcodec"]
      && (isDeterministic || recordedBy.cpu == current.cpu)
  }
}
