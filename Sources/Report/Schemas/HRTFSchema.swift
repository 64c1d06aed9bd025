/// JSON schemas (draft 2020-12) of what is said about HRTF sets.
enum HRTFSchema {
  private static let digest = """
    {"type":"string","pattern":"^[0-9a-f]{64}$"}
    """

  private static let figures = """
    {"type":"array","items":{"type":"number"}}
    """

  private static let range = """
    {"type":"object","required":["lowest","highest"],"properties":{
      "lowest":{"type":"number"},"highest":{"type":"number"}}}
    """

  private static let spread = """
    {"type":"object","required":["typical","percentile95"],"properties":{
      "typical":{"type":"number","minimum":0},"percentile95":{"type":"number","minimum":0}}}
    """

  private static let place = """
    {"type":"object","required":["azimuth","elevation","delayMicroseconds","interauralLevelDB",
      "spectrumDB"],"properties":{"azimuth":{"type":"number"},"elevation":{"type":"number"},
      "delayMicroseconds":{"type":"number"},"interauralLevelDB":{"type":"number"},
      "spectrumDB":{"type":"number"}}}
    """

  private static let party = """
    {"type":"object","required":["id","sha256"],"properties":{"id":{"type":"string"},
      "sha256":\(digest)}}
    """

  /// Of ``HRTFReport``.
  static let inspection = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.hrtf/1",
      "type":"object",
      "required":["schema","id","sha256","citation","measurements","directions","elevation","taps",
      "rate","delayUnit","interauralDelayMicroseconds","diffuseField","steps"],
      "properties":{"schema":{"const":"pinna.hrtf/1"},"id":{"type":"string"},
      "path":{"type":"string"},"sha256":\(digest),"citation":{"type":"string"},
      "measurements":{"type":"integer"},"directions":{"type":"integer"},"elevation":\(range),
      "taps":{"type":"integer"},"rate":{"type":"integer"},
      "delayUnit":{"enum":["none","samples","seconds"]},"interauralDelayMicroseconds":\(range),
      "asymmetry":{"type":"object","required":["levelDB","delayMicroseconds"],"properties":{
      "levelDB":{"type":"number"},"delayMicroseconds":{"type":"number"}}},
      "diffuseField":{"type":"object","required":["frequenciesHz","measuredDB","processedDB"],
      "properties":{"frequenciesHz":\(figures),"measuredDB":\(figures),
      "processedDB":\(figures)}},
      "steps":{"type":"array","items":{"type":"object","required":["name","applied","reason"],
      "properties":{"name":{"enum":["delay-unit","symmetrise","level","diffuse-field",
      "low-frequencies"]},"applied":{"type":"boolean"},"reason":{"type":"string"}}}}}}

    """

  /// Of ``HRTFListReport``.
  static let list = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.hrtf-list/1",
      "type":"object","required":["schema","sets"],"properties":{
      "schema":{"const":"pinna.hrtf-list/1"},"sets":{"type":"array","items":{"type":"object",
      "required":["id"],"properties":{"id":{"type":"string"},"path":{"type":"string"},
      "directions":{"type":"integer"},"taps":{"type":"integer"},"rate":{"type":"integer"},
      "refusal":{"type":"object","required":["kind","message"],"properties":{
      "kind":{"type":"string"},"message":{"type":"string"}}}}}}}}

    """

  /// Of ``HRTFComparisonReport``.
  static let comparison = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.hrtf-comparison/1",
      "type":"object",
      "required":["schema","first","second","places","lowestElevation","highestFrequencyHz",
      "delayMicroseconds","interauralLevelDB","spectrumDB","levelDB","largestSpectrum",
      "largestDelay"],
      "properties":{"schema":{"const":"pinna.hrtf-comparison/1"},"first":\(party),
      "second":\(party),"places":{"type":"integer"},"lowestElevation":{"type":"number"},
      "highestFrequencyHz":{"type":"number"},"delayMicroseconds":\(spread),
      "interauralLevelDB":\(spread),"spectrumDB":\(spread),"levelDB":{"type":"number"},
      "largestSpectrum":\(place),"largestDelay":\(place)}}

    """
}
