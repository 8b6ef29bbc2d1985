import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const ReplicaNode = v.strictObject({
  name: v.string(),
  url: v.string(),
  /** URL that other nodes use, `http` or `https`. Default: the same as `url`. */
  internalUrl: v.optional(v.string()),
  primary: v.optional(v.boolean()),
  enabled: v.optional(v.boolean()),
  filesMaxCapacity: v.optional(v.number()),
  reposMaxCapacity: v.optional(v.number()),
  verificationMaxCapacity: v.optional(v.number()),
  containerRepositoriesMaxCapacity: v.optional(v.number()),
  syncObjectStorage: v.optional(v.boolean()),
  minimumReverificationInterval: v.optional(v.number()),
  /** The reported status: `healthy`, and counters by name. */
  status: v.optional(
    v.looseObject({
      /** Whether the node works. */
      healthy: v.boolean(),
    }),
  ),
  createdAt: Timestamp,
})

/** Replicas of the site. */
export const replicaNodesSection = defineSection(
  'replicaNodes',
  ReplicaNode,
  async (seeder: Seeder, { status, createdAt, ...fields }) => {
    const host = seeder.asHost(createdAt)
    const { id, name } = await host.replicaNodes.create(fields)
    if (status) await host.replicaNodes.report({ node: id, ...status })
    seeder.record('replicaNodes', name, { id })
  },
  namedIn(
    (host) => host.replicaNodes,
    ({ name }) => name,
  ),
)
