import ArgumentParser
import Rendering

/// The root command.
struct Pinna: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pinna",
    abstract: "Renders films and music for one listening endpoint, and proves it.",
    discussion: """
      A media file goes in; WAV, MP4 or HLS for headphones or loudspeakers comes out: start-up \
      samples trimmed, virtualised, normalised to −16 LKFS with the true peak held, every sample at its proper time.

      Exit codes: 0 done · 1 internal · 2 usage · 3 input unreadable, missing or encrypted · \
      4 damaged bitstream · 5 not supported · 6 output exists or can't be written · \
      7 verification failed · 8 target not met · 9 degraded under --strict · 10 batch finished with \
      failures · 75 try again · 130/143 interrupted.
      """,
    version: PinnaVersion.text,
    subcommands: [
      RenderCommand.self, BatchCommand.self, MergeCommand.self, EmitCommand.self, ProbeCommand.self,
      MeasureCommand.self, QueueCommand.self, PresetsCommand.self, TapsCommand.self,
      ValidateCommand.self, CompareCommand.self, GoldenCommand.self,
      ReportCommand.self, HRTFCommand.self, AuditionCommand.self, DoctorCommand.self,
      SchemaCommand.self,
      ManualCommand.self, ReferenceCommand.self, WorkerCommand.self, SOFAReaderCommand.self,
      ConfinedCommand.self,
    ])
}
