import { createHash } from 'node:crypto'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { EnvironmentTier } from '../../code/pipeline-records/job-environment.ts'
import { type AutoStopSetting, defaultAutoStopSetting, parseEnvironmentInput } from './environment.ts'
import { type EnvironmentRow, selectEnvironments } from './queries.ts'

const maxLength = 24
const suffixLength = 6
const headLength = maxLength - suffixLength - 1

/** The last six digits of the text's SHA-256 in base 36. */
const computeSuffix = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString(36)
    .slice(-suffixLength)

const hyphenate = (name: string): string => {
  const text = name.toLowerCase().replace(/[^a-z0-9]/g, '-')
  return (/^[a-z]/.test(text) ? text : `env-${text}`).replace(/-+/g, '-')
}

/**
 * Generates a slug that is safe in host names and labels: at most 24 characters of `a-z0-9-`, beginning with a letter and not
 * ending with a hyphen. A name that is not a valid slug gets a hash suffix, so `Production` and `production` differ.
 *
 * Slugs are unique within a project and survive a rename, so the first slug may be in use: `attempt` 1, 2, … returns further
 * slugs, always with a suffix. The same name and attempt return the same slug.
 */
export const toEnvironmentSlug = (name: string, attempt = 0): string => {
  const slug = hyphenate(name)
  if (attempt === 0 && slug === name && slug.length <= maxLength) return slug.replace(/-$/, '')
  const head = slug.slice(0, headLength)
  return `${head}${head.endsWith('-') ? '' : '-'}${computeSuffix(attempt === 0 ? name : `${name}\n${attempt}`)}`
}

export const assertNameAvailable = async (ctx: Context, projectId: number, name: string, ownId = 0) => {
  const taken = await selectEnvironments(ctx, projectId)
    .where('name', '=', name)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  if (taken) throw invalid({ name: ['has already been taken'] })
}

/** Finds the first unused slug for the name: a renamed environment keeps the slug of its old name. */
const findFreeSlug = async (ctx: Context, projectId: number, name: string): Promise<string> => {
  for (let attempt = 0; ; attempt++) {
    const slug = toEnvironmentSlug(name, attempt)
    if (!(await selectEnvironments(ctx, projectId).where('slug', '=', slug).executeTakeFirst())) return slug
  }
}

interface NewEnvironment {
  readonly name: string
  readonly externalUrl?: string | null
  /** Default: follows from the name. */
  readonly tier?: EnvironmentTier | null | undefined
  readonly description?: string | null | undefined
  /** Default: follows from the tier. */
  readonly autoStopSetting?: AutoStopSetting | undefined
}

/** Creates an environment. @throws PlatformError `invalid` for an invalid or taken name, or an invalid URL */
export const insertEnvironment = async (
  ctx: Context,
  projectId: number,
  { tier = null, description = null, autoStopSetting, ...input }: NewEnvironment,
): Promise<EnvironmentRow> => {
  const { name, externalUrl = null } = parseEnvironmentInput(input) as { name: string; externalUrl?: string | null }
  await assertNameAvailable(ctx, projectId, name)
  const slug = await findFreeSlug(ctx, projectId, name)
  const fields = {
    name,
    slug,
    externalUrl,
    state: 'available',
    tier,
    autoStopAt: null,
    description,
    autoStopSetting: autoStopSetting ?? defaultAutoStopSetting(name, tier),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  } as const
  const row = await ctx.db
    .insertInto('environment')
    .values({ projectId, ...fields } satisfies CompleteRow<'environment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...fields, id: row.id }
}
