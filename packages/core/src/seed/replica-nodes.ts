import * as v from 'valibot'
import { At, type Planting, section } from './planting.ts'

const ReplicaNode = v.strictObject({
  name: v.string(),
  url: v.string(),
  internalUrl: v.optional(v.string()),
  primary: v.optional(v.boolean()),
  enabled: v.optional(v.boolean()),
  /** What the node tells of itself: `healthy`, and its counters by name. */
  status: v.optional(v.looseObject({ healthy: v.boolean() })),
  createdAt: At,
})

/** Sites that hold the same things. */
export const replicaNodesSection = section(
  'replicaNodes',
  ReplicaNode,
  async (planting: Planting, { status, createdAt, ...given }) => {
    const host = planting.at(createdAt)
    const { id, name } = await host.replicaNodes.create(given)
    if (status) await host.replicaNodes.report({ node: id, ...status })
    planting.note('replicaNodes', name, { id })
  },
)
