/// A script that runs the shards by GNU parallel, on this machine or on others with the same folders.
struct EmitGNUParallel {
  let order: EmitOrder

  var text: String {
    """
    #!/bin/bash
    # Renders a batch by GNU parallel: bash THIS-FILE [options of parallel, such as -j 4 or --sshlogin].
    set -u

    case "${1-}" in
    shard)
      # 75 and signals may pass, the rest is for the merge to tell.
      for attempt in \((0...order.retries).map(String.init).joined(separator: " ")); do
        [ "$attempt" -eq 0 ] || sleep $((2 ** attempt))
        \(order.batchLine(part: "\"$2\""))
        code=$?
        [ "$code" -eq 75 ] || [ "$code" -ge 128 ] || break
      done
      exit "$code"
      ;;
    esac

    self=$(realpath -- "$0") || exit
    seq 1 \(order.shards) | parallel -q "$@" bash "$self" shard '{}'
    \(ShellText.line(order.mergeWords))

    """
  }
}
