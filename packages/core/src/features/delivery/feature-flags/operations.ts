import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import type { FeatureFlag } from './feature-flag.ts'
import { ChangedStrategies, NewStrategies, saveStrategies } from './mutations.ts'
import { completeFlags, getFlag, selectFlags } from './queries.ts'

const flagReference = {
  /** Name of the flag. */
  featureFlag: v.string(),
}

const Name = v.pipe(
  v.string(),
  v.minLength(2),
  v.maxLength(63),
  v.regex(
    /^[a-z](?:[-_a-z0-9]*[a-z0-9])?$/,
    "can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'",
  ),
)

const Description = v.nullable(v.pipe(v.string(), v.maxLength(10_000)))

const assertNewName = async (ctx: Context, projectId: number, name: string): Promise<void> => {
  const taken = await selectFlags(ctx, projectId).where('name', '=', name).executeTakeFirst()
  if (taken) throw invalid({ name: ['has already been taken'] })
}

/** A flag of which only strategies differ has changed, too. */
const touchIfChanged = async (ctx: Context, before: FeatureFlag, flag: FeatureFlag): Promise<FeatureFlag> => {
  if (JSON.stringify(before.strategies) === JSON.stringify(flag.strategies)) return flag
  await ctx.db.updateTable('featureFlag').set({ updatedAt: ctx.now }).where('id', '=', flag.id).execute()
  return { ...flag, updatedAt: ctx.now }
}

/** Flags that turn features of an application on and off, for all users or some. Unlike those of `instanceFeatures`, they are of a project. */
export const featureFlags = {
  /** Lists the feature flags of a project, by name. */
  list: query({
    on: project,
    can: 'featureFlag.read',
    input: {
      ...pagingEntries,
      /** `enabled`: only active flags; `disabled`: only inactive ones. Default: all. */
      scope: v.optional(v.picklist(['enabled', 'disabled'])),
    },
    async run(ctx, { scope, ...paging }, { project }): Promise<Page<FeatureFlag>> {
      const all = selectFlags(ctx, project.id)
      const rows = scope === undefined ? all : all.where('active', '=', scope === 'enabled')
      const page = await paginate(rows.orderBy('name'), paging, (row) => row)
      return { ...page, items: await completeFlags(ctx, page.items) }
    },
  }),

  /** Gets a feature flag by name. */
  get: query({
    on: project,
    can: 'featureFlag.read',
    input: flagReference,
    run: (ctx, { featureFlag }, { project }) => getFlag(ctx, project.id, featureFlag),
  }),

  /**
   * Creates a feature flag.
   *
   * @throws PlatformError `invalid` for a name that another flag has, and for parameters that the kind of strategy does not have
   */
  create: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: {
      /** Unique in the project: 2 to 63 small letters, digits, `_` and `-`, the first one a letter, the last one a letter or digit. */
      name: Name,
      /** Version of the notation of strategies. There is only one. */
      version: v.optional(v.literal('new_version_flag'), 'new_version_flag'),
      /** Text for people, at most 10,000 characters. Default: none. */
      description: v.optional(Description, null),
      /** Whether the strategies apply. Default: true. */
      active: v.optional(v.boolean(), true),
      /** Who has the feature, at most 100 strategies. Default: no one. */
      strategies: v.optional(NewStrategies, []),
    },
    async run(ctx, { name, description, active, strategies }, { project: { id: projectId } }): Promise<FeatureFlag> {
      await assertNewName(ctx, projectId, name)
      const times = { createdAt: ctx.now, updatedAt: ctx.now }
      const { id } = await ctx.db
        .insertInto('featureFlag')
        .values({ projectId, name, description, active, ...times } satisfies CompleteRow<'featureFlag'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await saveStrategies(ctx, { id, projectId }, [], strategies)
      return getFlag(ctx, projectId, name)
    },
  }),

  /**
   * Changes a feature flag; omitted fields keep their values. Strategies with an id are changed, others are added.
   *
   * @throws PlatformError `invalid` as `create`, `not_found` for strategies and scopes that the flag does not have
   */
  update: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: {
      ...flagReference,
      /** New name, as in `create`. */
      name: v.optional(Name),
      /** New text for people, at most 10,000 characters; null for none. */
      description: v.optional(Description),
      /** Whether the strategies apply. */
      active: v.optional(v.boolean()),
      /** Strategies to change, add and remove, at most 100; others stay. */
      strategies: v.optional(ChangedStrategies, []),
    },
    async run(ctx, { featureFlag, strategies, ...change }, { project: { id: projectId } }): Promise<FeatureFlag> {
      const before = await getFlag(ctx, projectId, featureFlag)
      const { name = before.name } = change
      if (name !== before.name) await assertNewName(ctx, projectId, name)
      await saveStrategies(ctx, { id: before.id, projectId }, before.strategies, strategies)
      await updateChanged(ctx, 'featureFlag', before.id, change)
      const flag = await touchIfChanged(ctx, before, await getFlag(ctx, projectId, name))
      if (flag.active !== before.active) await ctx.emit('featureFlag.toggled', { projectId, flag })
      return flag
    },
  }),

  /** Removes a feature flag. Applications use their own default for it. */
  remove: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: flagReference,
    async run(ctx, { featureFlag }, { project }) {
      const { id } = await getFlag(ctx, project.id, featureFlag)
      await assertRowUnmodified(ctx, 'featureFlag', id)
      await ctx.db.deleteFrom('featureFlag').where('id', '=', id).execute()
    },
  }),
}
