import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { sealChanged } from '../../../ports/secrets.ts'
import type { CiVariable } from './variable.ts'

/** The owner of variables; both are null for the instance. */
export interface VariableOwner {
  readonly projectId: number | null
  readonly groupId: number | null
}

/** The greatest numbers of variables, as in GitLab. */
const limits = { project: 8_000, group: 30_000, instance: 25 }

const toScope = ({ projectId, groupId }: VariableOwner): string => {
  if (projectId !== null) return `p${projectId}`
  return groupId === null ? 'i' : `g${groupId}`
}

const getLimit = ({ projectId, groupId }: VariableOwner) => {
  if (projectId !== null) return limits.project
  return groupId === null ? limits.instance : limits.group
}

/** The variables of an owner, unordered. */
export const selectVariables = ({ db }: Pick<Context, 'db'>, owner: VariableOwner) =>
  db
    .selectFrom('ciVariable')
    .where('scope', '=', toScope(owner))
    .select([
      'id',
      'scope',
      'key',
      'sealedValue',
      'variableType',
      'protected',
      'masked',
      'hidden',
      'raw',
      'environmentScope',
      'description',
    ])

type VariableRow = Awaited<ReturnType<ReturnType<typeof selectVariables>['executeTakeFirstOrThrow']>>

const getSecretContext = ({ scope, key }: Pick<VariableRow, 'scope' | 'key'>) => `ci-variable.${scope}.${key}`

/** A variable with its value, also a hidden one: only for the rules of pipelines. */
export type OpenVariable = CiVariable & { readonly value: string }

/** @throws PlatformError `unavailable` if the key of the platform is missing or another one */
export const openVariable =
  ({ ports }: Pick<Context, 'ports'>) =>
  ({ id, scope, sealedValue, ...row }: VariableRow): OpenVariable => ({
    ...row,
    value: ports.secrets.open(sealedValue, getSecretContext({ scope, key: row.key })),
  })

const conceal = (variable: OpenVariable): CiVariable => (variable.hidden ? { ...variable, value: null } : variable)

/** A variable as calls return it: without the value of a hidden one. */
export const toVariable =
  (ctx: Pick<Context, 'ports'>) =>
  (row: VariableRow): CiVariable =>
    conceal(openVariable(ctx)(row))

/** The only variable with this key, or that with the environment scope. */
export const findVariable = async (
  ctx: Context,
  owner: VariableOwner,
  key: string,
  environmentScope?: string,
): Promise<VariableRow> => {
  const rows = selectVariables(ctx, owner).where('key', '=', key)
  const filtered = environmentScope === undefined ? rows : rows.where('environmentScope', '=', environmentScope)
  const [row, second] = await filtered.limit(2).execute()
  if (!row) throw notFound('Variable')
  if (second)
    throw conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
  return row
}

const maskable = /^[\w+=/@:.~-]{8,}$/

const assertMaskable = ({ masked, hidden, value }: OpenVariable) => {
  if (hidden && !masked) throw invalid({ masked: ['cannot be changed for a hidden variable'] })
  if (masked && !maskable.test(value)) throw invalid({ value: ['is invalid'] })
}

const assertFree = async (ctx: Context, owner: VariableOwner, { key, environmentScope }: CiVariable) => {
  const taken = await selectVariables(ctx, owner)
    .where('key', '=', key)
    .where('environmentScope', '=', environmentScope)
    .executeTakeFirst()
  if (taken) throw invalid({ key: [`(${key}) has already been taken`] })
}

const assertBelowLimit = async ({ db }: Context, owner: VariableOwner) => {
  const { count } = await db
    .selectFrom('ciVariable')
    .where('scope', '=', toScope(owner))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const limit = getLimit(owner)
  if (Number(count) >= limit) throw invalid({ base: [`Maximum number of ci variables (${limit}) exceeded`] })
}

const seal = (
  { ports }: Context,
  owner: VariableOwner,
  { key, value }: Pick<OpenVariable, 'key' | 'value'>,
  stored: string | null = null,
) => sealChanged(ports.secrets, stored, value, getSecretContext({ scope: toScope(owner), key }))

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** `maskedAndHidden`: only new variables become hidden. */
type NewVariable = Pick<OpenVariable, 'key' | 'value'> &
  Optional<Omit<CiVariable, 'key' | 'value' | 'hidden'>> & { readonly maskedAndHidden: boolean }

/** @throws PlatformError `invalid` for a taken key, a value that cannot be masked, and too many variables */
export const addVariable = async (
  ctx: Context,
  owner: VariableOwner,
  { key, value, maskedAndHidden: hidden, ...options }: NewVariable,
): Promise<CiVariable> => {
  const variable: OpenVariable = {
    key,
    value,
    variableType: options.variableType ?? 'env_var',
    protected: options.protected ?? false,
    masked: hidden || (options.masked ?? false),
    hidden,
    raw: options.raw ?? false,
    environmentScope: options.environmentScope ?? '*',
    description: options.description ?? null,
  }
  assertMaskable(variable)
  await assertFree(ctx, owner, variable)
  await assertBelowLimit(ctx, owner)
  const { value: _value, ...stored } = variable
  const row = { ...owner, ...stored, scope: toScope(owner), sealedValue: seal(ctx, owner, variable) }
  await ctx.db
    .insertInto('ciVariable')
    .values(row satisfies CompleteRow<'ciVariable'>)
    .execute()
  return conceal(variable)
}

/** @throws PlatformError `invalid` for a taken environment scope and a value that cannot be masked */
export const changeVariable = async (
  ctx: Context,
  owner: VariableOwner,
  row: VariableRow,
  change: Optional<Omit<OpenVariable, 'key' | 'hidden'>>,
): Promise<CiVariable> => {
  const before = openVariable(ctx)(row)
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const after: OpenVariable = { ...before, ...set }
  assertMaskable(after)
  if (after.environmentScope !== before.environmentScope) await assertFree(ctx, owner, after)
  const { key: _key, value: _value, ...stored } = after
  await ctx.db
    .updateTable('ciVariable')
    .set({ ...stored, sealedValue: seal(ctx, owner, after, row.sealedValue) })
    .where('id', '=', row.id)
    .execute()
  return conceal(after)
}

export const removeVariable = async ({ db }: Context, { id }: Pick<VariableRow, 'id'>): Promise<void> => {
  await db.deleteFrom('ciVariable').where('id', '=', id).execute()
}
