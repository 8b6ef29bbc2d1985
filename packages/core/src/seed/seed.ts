import * as v from 'valibot'
import { isPlatformError, PlatformError } from '../kernel/errors.ts'
import type { Platform } from '../platform.ts'
import { groupsSection } from './groups.ts'
import { nested, plantAll } from './nested.ts'
import { type CreatedByName, plantingOver, type Section, Settings } from './planting.ts'
import { projectsSection } from './projects.ts'
import { replicaNodesSection } from './replica-nodes.ts'
import { plantSettings } from './settings.ts'
import { snippetsSection } from './snippets.ts'
import { usersSection } from './users.ts'

/** Everything a seed can describe, in the order in which it comes into being. */
const sections = [usersSection, groupsSection, projectsSection, snippetsSection, replicaNodesSection] as const

export const SeedSchema = v.strictObject({ settings: Settings, ...nested(sections) })

/** A world written down: the platform's settings, users with their tokens, groups, projects and all that is in them. */
export type Seed = v.InferInput<typeof SeedSchema>

/** What was made, by section, under the names the seed gives: `created.projects['acme/web'].id`. */
export type SeedResult = Readonly<Record<string, Readonly<CreatedByName>>>

const pathOf = (issue: v.BaseIssue<unknown>) =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')

const complaint = (issue: v.BaseIssue<unknown>) => {
  const path = `seed${pathOf(issue)}`
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${path}: is not known here`
  if (issue.received === 'undefined') return `${path}: is missing`
  return `${path}: ${issue.message}`
}

/**
 * Checks a seed without planting it.
 *
 * @throws PlatformError `invalid_input` whose problems name every fault with its path, such as `seed.projects[0].path`
 */
export function readSeed(value: unknown): v.InferOutput<typeof SeedSchema> {
  const parsed = v.safeParse(SeedSchema, value)
  if (parsed.success) return parsed.output
  const problems = parsed.issues.map((issue) => ({ fields: [], message: complaint(issue) }))
  throw new PlatformError('invalid_input', problems.map(({ message }) => message).join('\n'), { problems })
}

/** Says which item of the seed a refusal is about. */
const located = <S extends Section<string, v.GenericSchema, never>>(section: S): S => ({
  ...section,
  plant: async (planting: never, item: never, on: never) => {
    try {
      await (section.plant as (...all: never[]) => Promise<void>)(planting, item, on)
    } catch (error) {
      if (!isPlatformError(error)) throw error
      const { path, username, title } = item as { path?: string; username?: string; title?: string }
      throw new PlatformError(error.code, `seed.${section.name} "${path ?? username ?? title}": ${error.message}`, {
        problems: error.problems,
        cause: error,
      })
    }
  },
})

/**
 * Plants a seed into a platform, in one transaction: the whole world or nothing.
 *
 * @param planted told how many things stand, each time one has come into being
 * @throws PlatformError when the seed is malformed, or something in it is refused
 */
export async function plant(platform: Platform, seed: Seed, planted?: (things: number) => void): Promise<SeedResult> {
  const world = readSeed(seed)
  return platform.atomic(async (open, withClock) => {
    const created: Record<string, CreatedByName> = {}
    let things = 0
    const planting = plantingOver(open, withClock, created, () => planted?.(++things))
    await plantSettings(planting, world.settings ?? {})
    await plantAll(planting, sections.map(located as never), world, undefined)
    return created
  })
}
