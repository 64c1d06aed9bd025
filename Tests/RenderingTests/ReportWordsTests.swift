import AudioCore
import LibAV
import Loudness
import MediaIn
import Rendering
import Report
import Testing
import Verify

/// The schemas of reports list exactly the raw values of the enums behind them.
@Suite struct ReportWordsTests {
  private func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> Set<String>
  where Word.RawValue == String {
    Set(Word.allCases.map(\.rawValue))
  }

  @Test("each source of a start-up has a word in the report") func timelinesKnowTheirSources() {
    #expect(words(PrimingSource.self).union(["unknown"]) == Set(ReportWords.primingSources))
    #expect(words(PaddingSource.self) == Set(ReportWords.paddingSources))
    #expect(words(TimelineGap.Kind.self) == Set(ReportWords.gaps))
  }

  @Test("each outcome of levelling has a word in the report") func loudnessKnowsItsOutcomes() {
    #expect(words(LoudnessTarget.Mode.self).union(["off"]) == Set(ReportWords.loudnessModes))
    #expect(words(NormalizationPlan.Outcome.self) == Set(ReportWords.outcomes))
    #expect(words(LimiterResponse.self) == Set(ReportWords.responses))
    #expect(words(LoudnessTarget.Reference.self) == Set(ReportWords.albumReferences))
  }

  @Test("each layer of a comparison has a word in the report") func comparisonsKnowTheirLayers() {
    #expect(words(ComparisonLayer.self) == Set(ReportWords.layers))
    #expect(words(LayerResult.Status.self) == Set(ReportWords.layerStatus))
    let tolerances: [ComparisonTolerance] = [.exact, .transparent, .lossy]
    #expect(tolerances.map(\.name) == ReportWords.tolerances)
  }

  @Test("each kind of output has a word in the report") func rendersAndFilesKnowTheirKinds() {
    #expect(words(Endpoint.Kind.self) == Set(ReportWords.endpoints))
    #expect(words(RenderProgress.Pass.self) == Set(ReportWords.passes))
    #expect(words(StreamInfo.Kind.self) == Set(ReportWords.streams))
  }
}
