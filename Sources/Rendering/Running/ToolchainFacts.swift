import LibAV
import Report

/// Software and processor of this process.
enum ToolchainFacts {
  static var current: RenderReport.Toolchain {
    RenderReport.Toolchain(
      pinna: PinnaVersion.text, libavcodec: LibAVVersion.codec, cpu: ProcessorCode.extensions)
  }
}
