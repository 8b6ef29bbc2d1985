import * as v from 'valibot'
import { isMoreVisible, type Visibility } from '../access/levels.ts'
import { assertOptions, optionNames } from '../kernel/assert-arguments.ts'
import type { Platform } from '../platform-interface.ts'
import { applicationsSection } from './applications.ts'
import { archiveGroups, groupsSection } from './groups.ts'
import { parseData, toItemError } from './parse.ts'
import { projectsSection } from './projects.ts'
import { replicaNodesSection } from './replica-nodes.ts'
import { runnersSection } from './runners.ts'
import { sectionFields, seedSections } from './sections.ts'
import { atSeedPath } from './seed-path.ts'
import { type CreatedByName, createSeeder, type ExistingItems, Settings } from './seeder.ts'
import { seedSettings } from './settings.ts'
import { snippetsSection } from './snippets.ts'
import { usersSection } from './users.ts'

interface Placed {
  /** Full path. */
  readonly path: string
  readonly visibility?: Visibility | undefined
}

/** A group is at least as visible as its subgroups and projects. Returns the widest visibility that is stated below a group. */
const findNeededVisibilities = (items: readonly Placed[]): ((group: string) => Visibility | undefined) => {
  const needed = new Map<string, Visibility>()
  for (const { path, visibility } of items) {
    if (visibility === undefined || visibility === 'private') continue
    const names = path.toLowerCase().split('/')
    for (let depth = 1; depth < names.length; depth++) {
      const group = names.slice(0, depth).join('/')
      const current = needed.get(group)
      if (current === undefined || isMoreVisible(visibility, current)) needed.set(group, visibility)
    }
  }
  return (group) => needed.get(group.toLowerCase())
}

/** The sections of a seed, in seeding order. */
const sections = [
  usersSection,
  groupsSection,
  projectsSection,
  snippetsSection,
  replicaNodesSection,
  applicationsSection,
  runnersSection,
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

/**
 * Validates seed data.
 *
 * @throws PlatformError `invalid_input` with a problem for each invalid value and its path, such as `seed.projects[0].path`
 */
export function parseSeed(value: unknown): v.InferOutput<typeof SeedSchema> {
  return parseData(SeedSchema, 'seed', value)
}

/** Options of `seed`. */
export interface SeedOptions {
  /** What happens to items that exist already, by their names. Default: `reject`. */
  readonly existing?: ExistingItems
  /** Receives the number of items so far after each item. */
  readonly onProgress?: (items: number) => void
}

const seedOptions = optionNames<SeedOptions>({ existing: true, onProgress: true })

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
export async function seed(platform: Platform, seed: Seed, options: SeedOptions = {}): Promise<SeedResult> {
  assertOptions('seed', options, seedOptions)
  const { existing = 'reject', onProgress } = options
  const data = parseSeed(seed)
  return platform.atomic(async (_transaction, at) => {
    const present = at()
    const created: Record<string, CreatedByName> = {}
    let items = 0
    const neededVisibility = findNeededVisibilities([...(data.groups ?? []), ...(data.projects ?? [])])
    const seeder = createSeeder((now) => (now === undefined ? present : at(now)), created, {
      existing,
      neededVisibility,
      onProgress: () => onProgress?.(++items),
    })
    try {
      await atSeedPath('.settings', () => seedSettings(seeder, data.settings ?? {}))
      await seedSections(seeder, sections, data, undefined)
      await archiveGroups(seeder, data.groups ?? [])
    } catch (error) {
      throw toItemError('seed', error)
    }
    return created
  })
}
