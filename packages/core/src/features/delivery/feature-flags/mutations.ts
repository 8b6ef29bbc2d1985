import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { type FeatureFlagScope, type FeatureFlagStrategy, strategyNames } from './feature-flag.ts'
import { findParameterProblems } from './strategy-rules.ts'

const environmentScope = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))

const newStrategyEntries = {
  /**
   * Values by name. `gradualRolloutUserId`: `groupId` (1 to 32 small letters) and `percentage` (0 to 100). `flexibleRollout`: `groupId`,
   * `rollout` (0 to 100) and `stickiness` (`default`, `userId`, `sessionId` or `random`). `userWithId`: `userIds`, separated by commas.
   * `default` and `gitlabUserList`: none.
   */
  parameters: v.optional(v.record(v.pipe(v.string(), v.maxLength(255)), v.pipe(v.string(), v.maxLength(100_000)))),
  /** Id of a user list of the project, not its number; required for `gitlabUserList`. */
  userListId: v.optional(Id),
}

const StrategyName = v.picklist(strategyNames)

export const NewStrategies = v.pipe(
  v.array(
    v.strictObject({
      /** Kind of strategy. */
      name: StrategyName,
      ...newStrategyEntries,
      /** Environments in which it applies. Default: none. */
      scopes: v.optional(
        v.pipe(
          v.array(
            v.strictObject({
              /** Name of an environment, 1 to 255 characters; `*` matches any text. */
              environmentScope,
            }),
          ),
          v.maxLength(100),
        ),
      ),
    }),
  ),
  v.maxLength(100),
)

export const ChangedStrategies = v.pipe(
  v.array(
    v.strictObject({
      /** Id of the strategy to change. Default: a new one. */
      id: v.optional(Id),
      /** Kind of strategy; required for a new one. */
      name: v.optional(StrategyName),
      ...newStrategyEntries,
      /** Removes the strategy. Default: false. */
      _destroy: v.optional(v.boolean()),
      /** Scopes to change, add and remove; others stay. */
      scopes: v.optional(
        v.pipe(
          v.array(
            v.strictObject({
              /** Id of the scope to change. Default: a new one. */
              id: v.optional(Id),
              /** Name of an environment, 1 to 255 characters; `*` matches any text. Required for a new scope. */
              environmentScope: v.optional(environmentScope),
              /** Removes the scope. Default: false. */
              _destroy: v.optional(v.boolean()),
            }),
          ),
          v.maxLength(100),
        ),
      ),
    }),
  ),
  v.maxLength(100),
)

type StrategyChange = v.InferOutput<typeof ChangedStrategies>[number]
type ScopeChange = NonNullable<StrategyChange['scopes']>[number]

const strategyError = (problem: string) => invalid({ strategies: [problem] })

const findById = <T extends { readonly id: number }>(items: readonly T[], id: number | undefined): T | undefined => {
  const item = items.find((one) => one.id === id)
  if (id !== undefined && item === undefined) throw notFound()
  return item
}

const saveScope = async (
  { db }: Context,
  strategyId: number,
  present: readonly FeatureFlagScope[],
  it: ScopeChange,
) => {
  const existing = findById(present, it.id)
  const { environmentScope = existing?.environmentScope } = it
  if (environmentScope === undefined) throw strategyError('scopes environment scope is missing')
  if (existing === undefined) {
    const row = { strategyId, environmentScope } satisfies CompleteRow<'featureFlagScope'>
    if (!it._destroy) await db.insertInto('featureFlagScope').values(row).execute()
    return
  }
  if (it._destroy) await db.deleteFrom('featureFlagScope').where('id', '=', existing.id).execute()
  else await db.updateTable('featureFlagScope').set({ environmentScope }).where('id', '=', existing.id).execute()
}

const saveScopes = async (
  ctx: Context,
  strategyId: number,
  present: readonly FeatureFlagScope[],
  changes: readonly ScopeChange[],
) => {
  for (const change of changes) await saveScope(ctx, strategyId, present, change)
  const rows = ctx.db.selectFrom('featureFlagScope').where('strategyId', '=', strategyId).select('environmentScope')
  const names = (await rows.execute()).map((row) => row.environmentScope)
  if (new Set(names).size < names.length) throw strategyError('scopes environment scope has already been taken')
}

const assertUserList = async ({ db }: Context, projectId: number, name: string, userListId: number | null) => {
  if (name !== 'gitlabUserList') {
    if (userListId !== null) throw strategyError('user list must be blank')
    return
  }
  const list = await db
    .selectFrom('featureFlagUserList')
    .where('id', '=', userListId ?? 0)
    .where('projectId', '=', projectId)
    .select('id')
    .executeTakeFirst()
  if (list === undefined) throw strategyError('user list must belong to the same project')
}

const saveStrategy = async (
  ctx: Context,
  flag: { readonly id: number; readonly projectId: number },
  present: readonly FeatureFlagStrategy[],
  { id, scopes = [], _destroy, userListId: newListId, ...change }: StrategyChange,
) => {
  const existing = findById(present, id)
  if (_destroy) {
    if (existing) await ctx.db.deleteFrom('featureFlagStrategy').where('id', '=', existing.id).execute()
    return
  }
  const { name = existing?.name, parameters = name === existing?.name ? existing?.parameters : undefined } = change
  if (name === undefined) throw strategyError('name is missing')
  const kept = name === existing?.name ? (existing.userList?.id ?? null) : null
  const values = { name, parameters: parameters ?? {}, userListId: newListId ?? kept }
  const [problem] = findParameterProblems(name, values.parameters)
  if (problem !== undefined) throw strategyError(problem)
  await assertUserList(ctx, flag.projectId, name, values.userListId)
  if (existing) {
    await ctx.db.updateTable('featureFlagStrategy').set(values).where('id', '=', existing.id).execute()
    await saveScopes(ctx, existing.id, existing.scopes, scopes)
    return
  }
  const row = await ctx.db
    .insertInto('featureFlagStrategy')
    .values({ featureFlagId: flag.id, ...values } satisfies CompleteRow<'featureFlagStrategy'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveScopes(ctx, row.id, [], scopes)
}

/**
 * Changes, adds and removes strategies of a flag; others stay.
 *
 * @throws PlatformError `invalid` for parameters that the kind of strategy does not have, `not_found` for an unknown strategy or scope
 */
export const saveStrategies = async (
  ctx: Context,
  flag: { readonly id: number; readonly projectId: number },
  present: readonly FeatureFlagStrategy[],
  changes: readonly StrategyChange[],
): Promise<void> => {
  for (const change of changes) await saveStrategy(ctx, flag, present, change)
}
