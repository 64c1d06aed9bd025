/// JSON schema (draft 2020-12) of a run over goldens.
enum GoldenSchema {
  private static let lines = """
    {"type":"array","items":{"type":"string"}}
    """

  /// Of ``GoldenReport``.
  static let text = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.golden/1",
      "type":"object","required":["schema","cases","entries"],"properties":{
      "schema":{"const":"pinna.golden/1"},"cases":{"type":"string"},
      "entries":{"type":"array","items":{"type":"object",
      "required":["id","status","why","failures","notes","seconds"],"properties":{
      "id":{"type":"string"},"status":{"enum":["passed","failed","recorded"]},
      "why":{"type":"string"},"failures":\(lines),"notes":\(lines),
      "seconds":{"type":"number","minimum":0}}}}}}

    """
}
