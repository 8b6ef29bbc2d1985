import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { defined } from '../../../shared/defined.ts'
import { counterEntries } from './counters.ts'
import { assertNotSecondary, findConflicts, findNode, type NodeRow, selectNodes, toNode } from './queries.ts'
import { assertValidNode, type NodeValues, type ReplicaNode, type SelectiveSync } from './replica-node.ts'
import { type ReplicaStatus, type ReportedStatus, toReplicaStatus } from './status.ts'

const Count = v.pipe(v.number(), v.integer(), v.maxValue(2_147_483_647))
const Text = v.pipe(v.string(), v.maxLength(255))

const detailsInput = {
  /** Whether the node replicates. Default of a new node: true. The primary node cannot be disabled. */
  enabled: v.optional(v.boolean()),
  /** URL that other nodes use, `http` or `https`; null or blank for the same as `url`. */
  internalUrl: v.optional(v.nullable(v.string())),
  /** Maximum number of files that the node transfers at the same time, from 0. Default of a new node: 10. */
  filesMaxCapacity: v.optional(Count),
  /** Maximum number of repositories that the node transfers at the same time, from 0. Default of a new node: 25. */
  reposMaxCapacity: v.optional(Count),
  /** Maximum number of verifications that the node runs at the same time, from 0. Default of a new node: 100. */
  verificationMaxCapacity: v.optional(Count),
  /**
   * Maximum number of container repositories that the node transfers at the same time, from 0. Default of a new node:
   * 10.
   */
  containerRepositoriesMaxCapacity: v.optional(Count),
  /** Whether the node also replicates files in an object storage. Default of a new node: false. */
  syncObjectStorage: v.optional(v.boolean()),
  /**
   * What limits the replicated data: `namespaces` or `shards`; null or an empty text for everything, the default of a
   * new node.
   */
  selectiveSyncType: v.optional(v.nullable(v.string())),
  /** Names of the repository storages to replicate with the type `shards`; at most 1,000. */
  selectiveSyncShards: v.optional(v.pipe(v.array(Text), v.maxLength(1_000))),
  /** Ids of the groups and personal namespaces to replicate with the type `namespaces`; at most 1,000. */
  selectiveSyncNamespaceIds: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  /**
   * Days after which repositories are verified again, from 1. Default of a new node: 7. It has no effect on a secondary
   * node.
   */
  minimumReverificationInterval: v.optional(Count),
}

/** Default values of a new node: specification 2, "Replica node". */
const defaultValues = {
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

type NodeChange = { readonly [N in keyof NodeValues]?: NodeValues[N] | undefined }

/** Normalizes a blank `internalUrl` and `selectiveSyncType` to null. */
const blankToNull = (change: NodeChange): NodeChange => ({
  ...change,
  ...(change.internalUrl?.trim() === '' && { internalUrl: null }),
  ...(change.selectiveSyncType === '' && { selectiveSyncType: null }),
})

const mergeValues = (values: NodeValues, change: NodeChange): NodeValues => {
  const changed = Object.entries(blankToNull(change)).filter(([, value]) => value !== undefined)
  return { ...values, ...Object.fromEntries(changed) }
}

type StoredValues = Omit<NodeValues, 'selectiveSyncType'> & { readonly selectiveSyncType: SelectiveSync | null }

const validateValues = async (ctx: Context, values: NodeValues, id?: number): Promise<StoredValues> => {
  assertValidNode(values, await findConflicts(ctx, values, id))
  return values as StoredValues
}

const getNode = async (ctx: Context, id: number): Promise<ReplicaNode> => toNode(ctx, await findNode(ctx, id))

const toValues = ({ id, status, statusAt, ...values }: NodeRow): NodeValues => values

const toStatus = ({ id, status, statusAt }: NodeRow): ReplicaStatus | undefined =>
  status && statusAt ? toReplicaStatus(id, status, statusAt) : undefined

export const replicaNodes = {
  /** Lists all nodes, by id. For administrators, like all operations on nodes. */
  list: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectNodes(ctx).orderBy('id'), paging, (row) => toNode(ctx, row)),
  }),

  /** Gets a node, by its id. */
  get: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the node, as in `replicaNodes.list`. */
      node: Id,
    },
    run: (ctx, { node }) => getNode(ctx, node),
  }),

  /** Creates a node. There is at most one primary node, and it cannot be disabled. */
  create: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /**
       * Name of the node, 1 to 255 characters, unique ignoring case. It should equal the URL or configured name of the
       * site.
       */
      name: v.string(),
      /**
       * URL of the site, `http` or `https`, at most 255 characters. A missing slash at the end is added in responses.
       */
      url: v.string(),
      /** Whether the node is the primary one, which others replicate. Default: false. It cannot be changed. */
      primary: v.optional(v.boolean()),
      ...detailsInput,
    },
    async run(ctx, { name, url, ...input }): Promise<ReplicaNode> {
      const values = await validateValues(ctx, mergeValues({ ...defaultValues, name, url }, input))
      const row = await ctx.db
        .insertInto('replicaNode')
        .values({
          ...values,
          status: null,
          statusAt: null,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'replicaNode'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return getNode(ctx, row.id)
    },
  }),

  /**
   * Updates a node, except for its role; omitted fields keep their values. Fails with `forbidden` on a secondary node.
   */
  update: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the node, as in `replicaNodes.list`. */
      node: Id,
      /** Name of the node, 1 to 255 characters, unique ignoring case. */
      name: v.string(),
      /** URL of the site, `http` or `https`, at most 255 characters. */
      url: v.string(),
      ...detailsInput,
    },
    async run(ctx, { node, ...change }): Promise<ReplicaNode> {
      await assertNotSecondary(ctx)
      const row = await findNode(ctx, node)
      const values = await validateValues(ctx, mergeValues(toValues(row), change), row.id)
      await updateChanged(ctx, 'replicaNode', row.id, values)
      return getNode(ctx, row.id)
    },
  }),

  /** Deletes a node. Fails with `forbidden` on a secondary node. */
  remove: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the node, as in `replicaNodes.list`. */
      node: Id,
    },
    async run(ctx, { node }) {
      await assertNotSecondary(ctx)
      const { id } = await findNode(ctx, node)
      const { updatedAt } = await ctx.db
        .deleteFrom('replicaNode')
        .where('id', '=', id)
        .returning('updatedAt')
        .executeTakeFirstOrThrow()
      assertUnmodified(ctx, updatedAt)
    },
  }),

  /** Clears `missingOauthApplication` in the status of a node. Fails with `forbidden` on a secondary node. */
  repair: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the node, as in `replicaNodes.list`. */
      node: Id,
    },
    async run(ctx, { node }): Promise<ReplicaNode> {
      await assertNotSecondary(ctx)
      const { id, status } = await findNode(ctx, node)
      if (status?.missingOauthApplication) {
        await ctx.db
          .updateTable('replicaNode')
          .set({ status: { ...status, missingOauthApplication: false } })
          .where('id', '=', id)
          .execute()
      }
      return getNode(ctx, id)
    },
  }),

  /** Lists the statuses of all nodes that have reported one, by node id. */
  listStatuses: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: pagingEntries,
    run: (ctx, paging) =>
      paginate(selectNodes(ctx).where('statusAt', 'is not', null).orderBy('id'), paging, (row) =>
        defined(toStatus(row)),
      ),
  }),

  /** Gets the status of a node; `not_found` before its first report. */
  getStatus: query({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the node, as in `replicaNodes.list`. */
      node: Id,
    },
    async run(ctx, { node }): Promise<ReplicaStatus> {
      const status = toStatus(await findNode(ctx, node))
      if (!status) throw notFound()
      return status
    },
  }),

  /**
   * Replaces the status of a node. Omitted counters are unknown. For administrators and the host application of the
   * node.
   */
  report: command({
    on: instance,
    can: 'replicaNode.manage',
    tier: 'paid',
    input: {
      /** Id of the reporting node. */
      node: Id,
      /** Whether the node works without problems. */
      healthy: v.boolean(),
      /** Description of the problem, at most 255 characters; null for none. */
      health: v.optional(v.nullable(Text), null),
      /** Whether the node has no OAuth application for signing in through the primary node. */
      missingOauthApplication: v.optional(v.boolean(), false),
      /** Version of the software on the node; null if unknown. */
      version: v.optional(v.nullable(Text), null),
      /** Revision of the software on the node; null if unknown. */
      revision: v.optional(v.nullable(Text), null),
      ...counterEntries,
    },
    async run(ctx, { node, ...report }): Promise<ReplicaStatus> {
      const { id } = await findNode(ctx, node)
      const defined = Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined))
      const status = defined as unknown as ReportedStatus
      await ctx.db.updateTable('replicaNode').set({ status, statusAt: ctx.now }).where('id', '=', id).execute()
      return toReplicaStatus(id, status, ctx.now)
    },
  }),
}
