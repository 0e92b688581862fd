// On which other nodes agents may be connected: from their leases, read again at each renewal, and from what the nodes
// tell each other in between. Each node's own poll finds anyone missing.

interface Presence {
  nodesOf(agentId: string): readonly string[]
  /** These agents have just connected to a node. */
  came(nodeId: string, agentIds: readonly string[]): void
  /** Replaces everything with what was read; agents that connect meanwhile stay. */
  refresh(read: () => Promise<readonly { agentId: string; nodeId: string }[]>): Promise<void>
}

const nowhere: readonly string[] = []

export function createPresence(): Presence {
  let known = new Map<string, string[]>()
  /** What was reported while each of the current reads ran, and which of them began last. */
  const underWay = new Set<[string, readonly string[]][]>()
  let latest: object | undefined
  const add = (agentId: string, nodeId: string): void => {
    const nodes = known.get(agentId)
    if (!nodes) known.set(agentId, [nodeId])
    else if (!nodes.includes(nodeId)) nodes.push(nodeId)
  }
  return {
    nodesOf: (agentId) => known.get(agentId) ?? nowhere,
    came(nodeId, agentIds) {
      for (const meanwhile of underWay) meanwhile.push([nodeId, agentIds])
      for (const id of agentIds) add(id, nodeId)
    },
    async refresh(read) {
      const meanwhile: [string, readonly string[]][] = []
      underWay.add(meanwhile)
      latest = meanwhile
      try {
        const rows = await read()
        // A read that began later is more current.
        if (latest !== meanwhile) return
        known = new Map()
        for (const { agentId, nodeId } of rows) add(agentId, nodeId)
        for (const [nodeId, agentIds] of meanwhile) for (const id of agentIds) add(id, nodeId)
      } finally {
        underWay.delete(meanwhile)
      }
    },
  }
}
