// On which other nodes agents may be connected: as their leases say, read again at each renewal, and as the nodes tell
// each other in between. Whoever is missing is found by the poll of the own node.

export interface Presence {
  nodesOf(agentId: string): readonly string[]
  /** These agents have just connected to a node. */
  came(nodeId: string, agentIds: readonly string[]): void
  /** Replaces all by what is read; who comes meanwhile stays. */
  refresh(read: () => Promise<readonly { agentId: string; nodeId: string }[]>): Promise<void>
}

const nowhere: readonly string[] = []

export function createPresence(): Presence {
  let known = new Map<string, string[]>()
  let arrivals: [string, readonly string[]][] | undefined
  const add = (agentId: string, nodeId: string): void => {
    const nodes = known.get(agentId)
    if (!nodes) known.set(agentId, [nodeId])
    else if (!nodes.includes(nodeId)) nodes.push(nodeId)
  }
  return {
    nodesOf: (agentId) => known.get(agentId) ?? nowhere,
    came(nodeId, agentIds) {
      arrivals?.push([nodeId, agentIds])
      for (const id of agentIds) add(id, nodeId)
    },
    async refresh(read) {
      const meanwhile: [string, readonly string[]][] = []
      arrivals = meanwhile
      const rows = await read()
      known = new Map()
      for (const { agentId, nodeId } of rows) add(agentId, nodeId)
      for (const [nodeId, agentIds] of meanwhile) for (const id of agentIds) add(id, nodeId)
      arrivals = undefined
    },
  }
}
