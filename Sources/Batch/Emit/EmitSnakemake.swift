/// A Snakefile with a rule for the shards and one that merges. Commands are given as functions,
/// because Snakemake replaces braces in all other text.
struct EmitSnakemake {
  let order: EmitOrder

  var text: String {
    let marks = JSONWord.quoted(order.root + "/.pinna/snakemake")
    let time = order.minutes.map { ", runtime=\($0)" } ?? ""
    return """
      # Renders a batch by Snakemake: snakemake -s THIS-FILE --cores N
      # To do again what failed or changed: add --forceall; what is done stays.
      SHARDS = \(order.shards)
      MARKS = \(marks)


      rule all:
          input: MARKS + "/merged"


      rule shard:
          output: touch(MARKS + "/{part}-of-\(order.shards)")
          wildcard_constraints: part=r"\\d+"
          params: words=lambda wildcards: \(JSONWord.list(shardWords))
          threads: \(order.cpus)
          resources: mem_mb=\(order.memory)\(time), attempt=lambda wildcards, attempt: attempt
          retries: \(order.retries)
          # 10 (some items failed) is for the merge to tell, and so is 75 after the last attempt.
          shell: "{params.words:q} --shard {wildcards.part}/\(order.shards) || {{ code=$?; [ $code -eq 10 ] || [ $code -eq 75 -a {resources.attempt} -gt \(order.retries) ]; }}"


      rule merge:
          input: expand(MARKS + "/{part}-of-\(order.shards)", part=range(1, SHARDS + 1))
          output: touch(MARKS + "/merged")
          params: words=lambda wildcards: \(JSONWord.list(order.mergeWords))
          localrule: True
          shell: "{params.words:q}"

      """
  }

  private var shardWords: [String] {
    var words = order.batchWords
    if let place = words.firstIndex(of: "--shards") { words.removeSubrange(place...place + 1) }
    return words
  }
}
