import * as v from 'valibot'
import { PlatformError } from '../kernel/errors.ts'
import type { Platform } from '../platform.ts'
import { findSimilarName } from '../shared/similar-name.ts'
import { applicationsSection } from './applications.ts'
import { groupsSection } from './groups.ts'
import { projectsSection } from './projects.ts'
import { replicaNodesSection } from './replica-nodes.ts'
import { sectionFields, seedSections } from './sections.ts'
import { atSeedPath, SeedItemError } from './seed-path.ts'
import { type CreatedByName, createSeeder, type ExistingItems, Settings } from './seeder.ts'
import { seedSettings } from './settings.ts'
import { snippetsSection } from './snippets.ts'
import { usersSection } from './users.ts'

/** The sections of a seed, in seeding order. */
const sections = [
  usersSection,
  groupsSection,
  projectsSection,
  snippetsSection,
  replicaNodesSection,
  applicationsSection,
] as const

/** The schema of seed data. Editors can complete seed files with its JSON Schema, which `$schema` names. */
export const SeedSchema = v.strictObject({
  /** Path or URL of this JSON Schema, for editors. */
  $schema: v.optional(v.string()),
  /** Application settings by name. They are applied first. */
  settings: Settings,
  ...sectionFields(sections),
})

/** Seed data: settings, users with their tokens, groups and projects with their contents. */
export type Seed = v.InferInput<typeof SeedSchema>

/** The created items by section and name: `created.projects['acme/web'].id`. */
export type SeedResult = Readonly<Record<string, Readonly<CreatedByName>>>

const formatPath = (issue: v.BaseIssue<unknown>) =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')

interface AnySchema {
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
}

/** The names of the fields beside an unknown one. */
const listSiblings = (path: readonly { readonly key: unknown }[]): readonly string[] => {
  const unwrap = (schema: AnySchema | undefined): AnySchema | undefined =>
    schema?.wrapped ? unwrap(schema.wrapped) : schema
  const parent = path
    .slice(0, -1)
    .reduce<AnySchema | undefined>(
      (schema, { key }) => unwrap(typeof key === 'number' ? schema?.item : schema?.entries?.[String(key)]),
      SeedSchema as AnySchema,
    )
  return Object.keys(parent?.entries ?? {})
}

const suggestField = (issue: v.BaseIssue<unknown>) => {
  const path: readonly { readonly key: unknown }[] = issue.path ?? []
  const similar = findSimilarName(String(path.at(-1)?.key), listSiblings(path))
  return similar === undefined ? '' : `. Did you mean '${similar}'?`
}

const formatIssue = (issue: v.BaseIssue<unknown>) => {
  const path = `seed${formatPath(issue)}`
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${path}: is not known here${suggestField(issue)}`
  if (issue.received === 'undefined') return `${path}: is missing`
  return `${path}: ${issue.message}`
}

/**
 * Validates seed data.
 *
 * @throws PlatformError `invalid_input` with a problem for each invalid value and its path, such as `seed.projects[0].path`
 */
export function parseSeed(value: unknown): v.InferOutput<typeof SeedSchema> {
  const parsed = v.safeParse(SeedSchema, value)
  if (parsed.success) return parsed.output
  const problems = parsed.issues.map((issue) => ({ fields: [], message: formatIssue(issue) }))
  throw new PlatformError('invalid_input', problems.map(({ message }) => message).join('\n'), { problems })
}

/** Names the item in the message of an error. */
const toSeedError = (error: unknown): unknown =>
  error instanceof SeedItemError
    ? new PlatformError(error.cause.code, `seed${error.path}${error.item && ` (${error.item})`}: ${error.message}`, {
        problems: error.cause.problems,
        cause: error.cause,
      })
    : error

/** Options of `seed`. */
export interface SeedOptions {
  /** What happens to items that exist already, by their names. Default: `reject`. */
  readonly existing?: ExistingItems
  /** Receives the number of items so far after each item. */
  readonly onProgress?: (items: number) => void
}

/**
 * Creates the seed data in one transaction.
 *
 * @throws PlatformError when the seed is invalid or an operation fails, with the path of the item; nothing is created then
 * @example
 * ```ts
 * import { createPlatform, sqlite } from '@forgelet/core'
 * import { seed } from '@forgelet/core/seed'
 *
 * const platform = createPlatform(sqlite(':memory:'))
 * await seed(platform, {
 *   users: [{ username: 'ada' }],
 *   groups: [{ path: 'acme', name: 'Acme', members: [{ user: 'ada', access: 'owner' }] }],
 * })
 * const { items } = await platform.as({ user: 'ada' }).groups.list()
 * console.log(items.map(({ fullPath }) => fullPath).join()) // → acme
 * await platform.close()
 * ```
 */
export async function seed(
  platform: Platform,
  seed: Seed,
  { existing = 'reject', onProgress }: SeedOptions = {},
): Promise<SeedResult> {
  const data = parseSeed(seed)
  return platform.atomic(async (transaction, withClock) => {
    const created: Record<string, CreatedByName> = {}
    let items = 0
    const seeder = createSeeder(transaction, withClock, created, { existing, onProgress: () => onProgress?.(++items) })
    try {
      await atSeedPath('.settings', () => seedSettings(seeder, data.settings ?? {}))
      await seedSections(seeder, sections, data, undefined)
    } catch (error) {
      throw toSeedError(error)
    }
    return created
  })
}
