import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { clashes, findNode, type NodeRow, nodes, refuseOnSecondary, toNode } from './queries.ts'
import { type NodeValues, type ReplicaNode, refuseBadNode, type SelectiveSync } from './replica-node.ts'
import { type Counter, counters, type ReplicaStatus, type ReportedStatus, statusOf } from './status.ts'

const Count = v.pipe(v.number(), v.integer(), v.maxValue(2_147_483_647))
const Text = v.pipe(v.string(), v.maxLength(255))

const details = {
  enabled: v.optional(v.boolean()),
  internalUrl: v.optional(v.nullable(v.string())),
  filesMaxCapacity: v.optional(Count),
  reposMaxCapacity: v.optional(Count),
  verificationMaxCapacity: v.optional(Count),
  containerRepositoriesMaxCapacity: v.optional(Count),
  syncObjectStorage: v.optional(v.boolean()),
  selectiveSyncType: v.optional(v.nullable(v.string())),
  selectiveSyncShards: v.optional(v.pipe(v.array(Text), v.maxLength(1_000))),
  selectiveSyncNamespaceIds: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  minimumReverificationInterval: v.optional(Count),
}

/** What a node is where nothing else is said (specification 2, "Replica node"). */
const usual = {
  primary: false,
  enabled: true,
  internalUrl: null,
  filesMaxCapacity: 10,
  reposMaxCapacity: 25,
  verificationMaxCapacity: 100,
  containerRepositoriesMaxCapacity: 10,
  syncObjectStorage: false,
  selectiveSyncType: null,
  selectiveSyncShards: [],
  selectiveSyncNamespaceIds: [],
  minimumReverificationInterval: 7,
} satisfies Partial<NodeValues>

type Given = { readonly [N in keyof NodeValues]?: NodeValues[N] | undefined }

/** Blank words for "everything" and "as the other address" are none. */
const blankToNull = (given: Given): Given => ({
  ...given,
  ...(given.internalUrl?.trim() === '' && { internalUrl: null }),
  ...(given.selectiveSyncType === '' && { selectiveSyncType: null }),
})

const over = (known: NodeValues, given: Given): NodeValues => {
  const said = Object.entries(blankToNull(given)).filter(([, value]) => value !== undefined)
  return { ...known, ...Object.fromEntries(said) } as NodeValues
}

type Stored = Omit<NodeValues, 'selectiveSyncType'> & { readonly selectiveSyncType: SelectiveSync | null }

const judged = async (ctx: Context, values: NodeValues, own?: number): Promise<Stored> => {
  refuseBadNode(values, await clashes(ctx, values, own))
  return values as Stored
}

const one = async (ctx: Context, id: number): Promise<ReplicaNode> => toNode(ctx, await findNode(ctx, id))

const valuesOf = ({ id, status, statusAt, ...values }: NodeRow): NodeValues => values

const statusIfAny = ({ id, status, statusAt }: NodeRow): ReplicaStatus | undefined =>
  status && statusAt ? statusOf(id, status, statusAt) : undefined

const numbers = Object.fromEntries(
  counters.map((name) => [name, v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))))]),
) as unknown as Record<
  Counter,
  v.OptionalSchema<v.NullableSchema<v.GenericSchema<number, number>, undefined>, undefined>
>

export const replicaNodes = {
  /** All nodes, by id. */
  list: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: paging,
    run: (ctx, at) => paginate(nodes(ctx).orderBy('id'), at, (row) => toNode(ctx, row)),
  }),

  /** One node. */
  get: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { node: Id },
    run: (ctx, { node }) => one(ctx, node),
  }),

  /** Adds a node. There is one primary at most, and it cannot be switched off. */
  create: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { name: v.string(), url: v.string(), primary: v.optional(v.boolean()), ...details },
    async run(ctx, { name, url, ...given }): Promise<ReplicaNode> {
      const values = await judged(ctx, over({ ...usual, name, url }, given))
      const [row] = await ctx.db
        .insertInto('replicaNode')
        .values({ ...values, status: null, statusAt: null, createdAt: ctx.now, updatedAt: ctx.now })
        .returning('id')
        .execute()
      return one(ctx, (row as { id: number }).id)
    },
  }),

  /** Changes a node; whether it is the primary stays. Only a primary node accepts it. */
  update: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { node: Id, name: v.string(), url: v.string(), ...details },
    async run(ctx, { node, ...given }): Promise<ReplicaNode> {
      await refuseOnSecondary(ctx)
      const known = await findNode(ctx, node)
      const values = await judged(ctx, over(valuesOf(known), given), known.id)
      await ctx.db
        .updateTable('replicaNode')
        .set({ ...values, updatedAt: ctx.now })
        .where('id', '=', known.id)
        .execute()
      return one(ctx, known.id)
    },
  }),

  /** Removes a node. Only a primary node accepts it. */
  remove: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { node: Id },
    async run(ctx, { node }) {
      await refuseOnSecondary(ctx)
      const { id } = await findNode(ctx, node)
      await ctx.db.deleteFrom('replicaNode').where('id', '=', id).execute()
    },
  }),

  /** Makes the node's sign-in work again: its status no longer misses the application for it. Only a primary node accepts it. */
  repair: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { node: Id },
    async run(ctx, { node }): Promise<ReplicaNode> {
      await refuseOnSecondary(ctx)
      const { id, status } = await findNode(ctx, node)
      if (status?.missingOauthApplication) {
        await ctx.db
          .updateTable('replicaNode')
          .set({ status: { ...status, missingOauthApplication: false } })
          .where('id', '=', id)
          .execute()
      }
      return one(ctx, id)
    },
  }),

  /** The states of all nodes that have told theirs, by id of the node. */
  statuses: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: paging,
    run: (ctx, at) =>
      paginate(
        nodes(ctx).where('statusAt', 'is not', null).orderBy('id'),
        at,
        (row) => statusIfAny(row) as ReplicaStatus,
      ),
  }),

  /** The state of one node; missing before it has told it. */
  status: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: { node: Id },
    async run(ctx, { node }): Promise<ReplicaStatus> {
      const status = statusIfAny(await findNode(ctx, node))
      if (!status) throw notFound()
      return status
    },
  }),

  /** Takes what a node tells of itself, in place of what it told before. What it leaves out it does not know. */
  report: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      node: Id,
      healthy: v.boolean(),
      health: v.optional(v.nullable(Text), null),
      missingOauthApplication: v.optional(v.boolean(), false),
      version: v.optional(v.nullable(Text), null),
      revision: v.optional(v.nullable(Text), null),
      ...numbers,
    },
    async run(ctx, { node, ...told }): Promise<ReplicaStatus> {
      const { id } = await findNode(ctx, node)
      const said = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
      const status = said as unknown as ReportedStatus
      await ctx.db.updateTable('replicaNode').set({ status, statusAt: ctx.now }).where('id', '=', id).execute()
      return statusOf(id, status, ctx.now)
    },
  }),
}
