/// JSON schema (draft 2020-12) of a comparison.
enum ComparisonSchema {
  private static let party = """
    {"type":"object","required":["path","container","codec","layout","rate","samples"],
      "properties":{"path":{"type":"string"},"container":{"type":"string"},
      "codec":{"type":"string"},"layout":{"type":"string"},"rate":{"type":"integer"},
      "samples":{"type":"integer"},"pcmSHA256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}}
    """

  private static let layer = """
    {"type":"string","enum":["structure","samples","null","levels","spectrum","interaural"]}
    """

  /// Of ``ComparisonReport``.
  static let text = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.comparison/1",
      "type":"object",
      "required":["schema","reference","test","tolerance","alike","verdict","layers"],
      "properties":{"schema":{"const":"pinna.comparison/1"},"reference":\(party),"test":\(party),
      "tolerance":{"enum":["exact","transparent","lossy"]},"alike":{"type":"boolean"},
      "failed":\(layer),"explainedBy":\(layer),"verdict":{"type":"string"},
      "layers":{"type":"array","items":{"type":"object",
      "required":["layer","status","rule","figures"],"properties":{"layer":\(layer),
      "status":{"enum":["passed","failed","skipped"]},"rule":{"type":"string"},
      "figures":{"type":"array","items":{"type":"object","required":["name","unit"],"properties":{
      "name":{"type":"string"},"value":{"type":"number"},"unit":{"type":"string"},
      "limit":{"type":"number"}}}},"fault":{"type":"string"},"note":{"type":"string"}}}}}}

    """
}
