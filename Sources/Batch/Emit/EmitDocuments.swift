// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// An indexed job of Kubernetes, and a suspended one that merges, because Kubernetes can't order
/// jobs.
///
/// A pod that ends with 75 or by a signal is started again, up to a limit for each index; other codes
/// fail the index at once; an eviction isn't counted (per-index limits: Kubernetes 1.33).
struct EmitKubernetes {
  let order: EmitOrder

  /// Exit codes after which another attempt would fail as well: all of Pinna's but 0 and 75.
  static let permanent = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

  var text: String {
    """
    # Renders a batch on Kubernetes, then merges:
    #   kubectl apply -f THIS-FILE
    #   until kubectl get job \(order.name) -o 'jsonpath={.status.conditions[*].type}' | grep -Eq 'Complete|Failed'; do sleep 10; done
    #   kubectl patch job \(order.name)-merge --type merge -p '{"spec":{"suspend":false}}'
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: \(JSONWord.quoted(order.name))
    spec:
      completionMode: Indexed
      completions: \(order.shards)
      parallelism: \(min(order.shards, 100))
      backoffLimitPerIndex: \(order.retries)
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: Count
            onExitCodes:
              containerName: pinna
              operator: In
              values: [75]
          - action: FailIndex
            onExitCodes:
              containerName: pinna
              operator: In
              values: [\(EmitKubernetes.permanent.map(String.init).joined(separator: ", "))]
    \(template(order.batchWords, deadline: deadline))
    ---
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: \(JSONWord.quoted(order.name + "-merge"))
    spec:
      suspend: true
      backoffLimit: 0
    \(template(order.mergeWords))

    """
  }

  private var deadline: String {
    // The deadline is a pod's and not the job's, because shards may wait for each other.
    order.minutes.map { "      activeDeadlineSeconds: \($0 * 60)\n" } ?? ""
  }

  private func template(_ words: [String], deadline: String = "") -> String {
    """
      template:
        spec:
    \(deadline)      restartPolicy: Never
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 30
          containers:
            - name: pinna
              image: \(JSONWord.quoted(order.image ?? ""))
              command: \(EmitKubernetes.literal(words))
              resources:
                requests: {cpu: "\(order.cpus)", memory: "\(order.memory)Mi"}
                limits: {memory: "\(order.memory)Mi"}
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities: {drop: ["ALL"]}
              volumeMounts:
                - {name: media, mountPath: \(JSONWord.quoted(order.mount))}
                - {name: scratch, mountPath: /tmp}
          volumes:
            - name: media
              persistentVolumeClaim: {claimName: \(JSONWord.quoted(order.volume))}
            - name: scratch
              emptyDir: {}
    """
  }

  /// Kubernetes fills `$(NAME)` in commands; `$$` is a dollar sign.
  private static func literal(_ words: [String]) -> String {
    JSONWord.list(
      words.map {
        $0.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
      })
  }
}

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

/// Strings in double quotes that mean the same in JSON, YAML 1.2 and Python.
package enum JSONWord {
  /// `text` in double quotes.
  package static func quoted(_ text: String) -> String {
    JSONText.quoted(text) { scalar in
      // Control characters, and those that YAML reads as line breaks or as not printable.
      let isOdd =
        scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
        || [0x2028, 0x2029, 0xFEFF].contains(scalar.value)
      return isOdd ? JSONText.escape(scalar) : nil
    }
  }

  /// `texts` as a list.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }
}
