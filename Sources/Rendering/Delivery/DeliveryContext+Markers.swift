import AudioCore
import MediaOut

extension DeliveryContext {
  /// The chapters that a file of the sound alone holds: those that begin before its end. Times count from its
  /// first sample.
  var markers: [ProgrammeMarker] {
    companions.chapters(
      before: MediaTime(ticks: output.frames, rate: Int64(format.sampleRate)),
      rate: format.sampleRate)
  }
}
