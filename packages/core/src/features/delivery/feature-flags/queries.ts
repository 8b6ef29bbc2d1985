import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { FeatureFlag, FeatureFlagScope, FeatureFlagStrategy } from './feature-flag.ts'

export const selectFlags = ({ db }: Pick<Context, 'db'>, projectId: number) =>
  db
    .selectFrom('featureFlag')
    .where('projectId', '=', projectId)
    .select(['id', 'name', 'description', 'active', 'createdAt', 'updatedAt'])

type FlagRow = Awaited<ReturnType<ReturnType<typeof selectFlags>['executeTakeFirstOrThrow']>>

const selectStrategies = ({ db }: Pick<Context, 'db'>, flagIds: readonly number[]) =>
  db
    .selectFrom('featureFlagStrategy as strategy')
    .leftJoin('featureFlagUserList as list', 'list.id', 'strategy.userListId')
    .where('strategy.featureFlagId', 'in', flagIds)
    .orderBy('strategy.id')
    .select(['strategy.id', 'strategy.featureFlagId', 'strategy.name', 'strategy.parameters', 'strategy.userListId'])
    .select(['list.iid', 'list.name as listName', 'list.userXids'])

const readScopes = async ({ db }: Pick<Context, 'db'>, strategyIds: readonly number[]) => {
  const rows = strategyIds.length
    ? await db
        .selectFrom('featureFlagScope')
        .where('strategyId', 'in', strategyIds)
        .orderBy('id')
        .select(['id', 'strategyId', 'environmentScope'])
        .execute()
    : []
  return Map.groupBy(rows, ({ strategyId }) => strategyId)
}

/** Adds the strategies of flags, with their scopes and user lists. */
export const completeFlags = async (ctx: Pick<Context, 'db'>, flags: readonly FlagRow[]): Promise<FeatureFlag[]> => {
  if (!flags.length) return []
  const rows = await selectStrategies(
    ctx,
    flags.map(({ id }) => id),
  ).execute()
  const scopes = await readScopes(
    ctx,
    rows.map(({ id }) => id),
  )
  const toScope = ({ id, environmentScope }: FeatureFlagScope): FeatureFlagScope => ({ id, environmentScope })
  const toStrategy = ({ id, name, parameters, userListId, iid, listName, userXids }: (typeof rows)[number]) => ({
    id,
    name,
    parameters,
    userList:
      userListId !== null && iid !== null && listName !== null && userXids !== null
        ? { id: userListId, iid, name: listName, userXids }
        : null,
    scopes: (scopes.get(id) ?? []).map(toScope),
  })
  const strategies = Map.groupBy(rows, ({ featureFlagId }) => featureFlagId)
  return flags.map((flag) => ({
    ...flag,
    strategies: (strategies.get(flag.id) ?? []).map((row): FeatureFlagStrategy => toStrategy(row)),
  }))
}

/** @throws PlatformError `not_found` if the project has no flag with this name */
export const getFlag = async (ctx: Pick<Context, 'db'>, projectId: number, name: string): Promise<FeatureFlag> => {
  const row = await selectFlags(ctx, projectId).where('name', '=', name).executeTakeFirst()
  const [flag] = row ? await completeFlags(ctx, [row]) : []
  if (flag === undefined) throw notFound()
  return flag
}
