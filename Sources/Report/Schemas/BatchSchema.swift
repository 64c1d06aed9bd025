/// JSON schemas (draft 2020-12) of batches and their items.
enum BatchSchema {
  private static let failure = """
    {"type":"object","required":["kind","message"],"properties":{"kind":{"type":"string"},
      "message":{"type":"string"}}}
    """

  private static let file = """
    {"type":"object","required":["path","bytes","sha256"],"properties":{"path":{"type":"string"},
      "bytes":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}}
    """

  private static let golden = """
    {"type":"object","required":["id","failures","notes"],"properties":{"id":{"type":"string"},
      "failures":{"type":"array","items":{"type":"string"}},
      "notes":{"type":"array","items":{"type":"string"}}}}
    """

  private static let cost = """
    {"type":"object","required":["attempts","cpuSeconds","wallSeconds","renderSeconds",
      "peakRSSMiB"],"properties":{"attempts":{"type":"integer","minimum":1},
      "cpuSeconds":{"type":"number"},"wallSeconds":{"type":"number"},
      "renderSeconds":{"type":"number"},"peakRSSMiB":{"type":"number"}}}
    """

  /// Of ``ItemReport``.
  static let item = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.item/1",
      "type":"object","required":["schema","id","input","job","status","exit","files","reports"],
      "properties":{"schema":{"const":"pinna.item/1"},"id":{"type":"string"},
      "input":{"type":"string"},"job":{"type":"string"},"key":{"type":"string"},
      "inputSHA256":{"type":"string"},
      "status":{"enum":["started","ok","silent","unchanged","error"]},
      "exit":{"type":"integer"},"error":\(failure),
      "files":{"type":"array","items":\(file)},
      "stale":{"type":"array","items":{"type":"string"}},
      "reports":{"type":"array","items":{"type":"object"}},"golden":\(golden),
      "stderr":{"type":"string"},"performance":\(cost)}}

    """

  /// Of ``BatchReport``.
  static let batch = """
    {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"pinna.batch/1",
      "type":"object",
      "required":["schema","source","manifest","pinna","exit","counts","items","skipped"],
      "properties":{"schema":{"const":"pinna.batch/1"},"source":{"type":"string"},
      "manifest":{"type":"string"},"pinna":{"type":"string"},
      "shard":{"type":"string","pattern":"^[0-9]+/[0-9]+$"},"exit":{"type":"integer"},
      "counts":{"type":"object","required":["total","done","cached","degraded","failed","stopped",
      "missing"],"additionalProperties":{"type":"integer","minimum":0}},
      "items":{"type":"array","items":{"type":"object",
      "required":["id","input","status","cached","exit","files","degradations","result"],
      "properties":{"id":{"type":"string"},"input":{"type":"string"},
      "status":{"enum":["ok","silent","unchanged","error","stopped","missing"]},
      "cached":{"type":"boolean"},"exit":{"type":"integer"},"error":\(failure),
      "files":{"type":"array","items":\(file)},
      "degradations":{"type":"object","additionalProperties":{"type":"integer"}},
      "loudness":{"type":"object","properties":{"input":{"type":"number"},
      "output":{"type":"number"}}},"golden":\(golden),"stderr":{"type":"string"},
      "performance":\(cost),"result":{"type":"string"}}}},
      "skipped":{"type":"object","additionalProperties":{"type":"string"}},
      "performance":{"type":"object","required":["wallSeconds","workers"],
      "properties":{"wallSeconds":{"type":"number"},"workers":{"type":"integer"}}}}}

    """
}
