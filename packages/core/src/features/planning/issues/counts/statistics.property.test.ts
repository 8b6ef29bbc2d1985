import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../../test/property-runs.ts'
import { world } from '../../../../../../../test/world.ts'
import { featureLevels, visibilities } from '../../../../access/levels.ts'
import { instance } from '../../../../access/subjects.ts'
import { verifyCounters } from '../../../../db/counters/verify.ts'
import { command } from '../../../../kernel/operation.ts'
import type { IssueFilters } from '../filters.ts'
import type { Issue } from '../issue.ts'

const usernames = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'mallory'] as const
const projects = ['acme/web', 'acme/tools/deploy', 'bob/notes'] as const
const labelNames = ['bug', 'urgent', 'other'] as const
const emojiNames = ['thumbsup', 'tada'] as const
const titles = ['Slow start page', 'The page is slow', 'ab', 'Cannot sign in', 'START "here" 100%_sure'] as const
const descriptions = [null, 'It starts slowly', 'ab', 'Sign in with a token'] as const
const searches = [
  'page',
  'slow page',
  'slow "start page"',
  'ab',
  'a b',
  'sign slow',
  '%_s',
  'PAGE',
  ' ',
  '"e" is',
  'nothing here',
] as const
const instants = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'] as const
const milestones = ['1.0', 'next', 'Gone'] as const

const issueArbitrary = fc.record({
  project: fc.constantFrom(...projects),
  author: fc.constantFrom(...usernames),
  title: fc.constantFrom(...titles),
  description: fc.constantFrom(...descriptions),
  confidential: fc.boolean(),
  assignees: fc.uniqueArray(fc.constantFrom(...usernames), { maxLength: 2 }),
  labels: fc.uniqueArray(fc.constantFrom(...labelNames), { maxLength: 2 }),
  milestone: fc.boolean(),
  weight: fc.constantFrom(null, 0, 1, 5),
  closed: fc.boolean(),
  created: fc.constantFrom(...instants),
  emoji: fc.uniqueArray(fc.tuple(fc.constantFrom('root', 'alice', 'carol'), fc.constantFrom(...emojiNames)), {
    maxLength: 2,
    selector: ([user, name]) => `${user} ${name}`,
  }),
})

const orKeyword = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: values }, fc.constantFrom('None', 'any'))
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })

const matching = {
  labels: optional(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.uniqueArray(fc.constantFrom(...labelNames, 'unknown'), { minLength: 1, maxLength: 2 }),
      },
      fc.constantFrom(['None'], ['ANY']),
    ),
  ),
  milestone: optional(orKeyword(fc.constantFrom(...milestones))),
  authorUsername: optional(fc.constantFrom<string>(...usernames, 'unknown')),
  myReactionEmoji: optional(orKeyword(fc.constantFrom<string>(...emojiNames))),
  weight: optional(fc.constantFrom<string | number>('None', 'any', '', 0, '1', 5, 7)),
  iids: optional(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })),
  assigneeUsername: optional(fc.uniqueArray(fc.constantFrom<string>(...usernames), { minLength: 1, maxLength: 2 })),
}

/** At most three filters, because a combination of all of them would match no issue. */
const filterSubset = (filters: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .subarray(Object.keys(filters), { maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, filters[name] as fc.Arbitrary<unknown>]))),
    )
    .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)))

const filtersArbitrary = filterSubset({
  ...matching,
  assigneeId: fc.constantFrom('None', 'ANY', 0),
  scope: fc.constantFrom('created_by_me', 'assigned_to_me', 'all', 'assigned-to-me'),
  search: fc.constantFrom(...searches),
  in: fc.constantFrom(['title'], ['description'], ['title', 'description']),
  createdAfter: fc.constantFrom(...instants),
  createdBefore: fc.constantFrom(...instants),
  confidential: fc.boolean(),
  not: filterSubset(matching),
})
  .filter((filters) => !(filters.assigneeId !== undefined && filters.assigneeUsername !== undefined))
  .map((filters) => filters as IssueFilters)

const worldArbitrary = fc.record({
  issues: fc.array(issueArbitrary, { minLength: 6, maxLength: 14 }),
  web: fc.constantFrom(...visibilities),
  level: fc.constantFrom(...featureLevels),
  filters: fc.array(filtersArbitrary, { minLength: 10, maxLength: 10 }),
})

type FilterInput = IssueFilters['not'] & IssueFilters
type Emoji = ReadonlyMap<number, readonly (readonly [string, string])[]>

const equalsIgnoreCase = (value: unknown, word: string) => String(value).toLowerCase() === word

/** Reference implementation of the filters on one issue. */
const matchesFilters = (issue: Issue, filters: FilterInput, me: string, emoji: Emoji): boolean => {
  const { labels, milestone, authorUsername, assigneeUsername, assigneeId, iids, myReactionEmoji, weight } = filters
  const assignees = issue.assignees.map(({ username }) => username)
  const reactions = (emoji.get(issue.id) ?? []).filter(([user]) => user === me).map(([, name]) => name)
  const matchesValue = (value: string, values: readonly string[]) =>
    equalsIgnoreCase(value, 'none')
      ? values.length === 0
      : equalsIgnoreCase(value, 'any')
        ? values.length > 0
        : values.includes(value)
  return (
    (labels ?? []).every((name) => matchesValue(name, issue.labels)) &&
    (milestone === undefined || matchesValue(milestone, issue.milestone ? [issue.milestone.title] : [])) &&
    (authorUsername === undefined || issue.author.username === authorUsername) &&
    (assigneeUsername ?? []).every((name) => assignees.includes(name)) &&
    (assigneeId === undefined || matchesValue(assigneeId === 0 ? 'none' : String(assigneeId), assignees)) &&
    (myReactionEmoji === undefined || matchesValue(myReactionEmoji, reactions)) &&
    (weight === undefined ||
      weight === '' ||
      matchesValue(String(weight), issue.weight === null ? [] : [String(issue.weight)])) &&
    (iids === undefined || iids.includes(issue.iid)) &&
    (filters.confidential === undefined || issue.confidential === filters.confidential) &&
    (filters.createdAfter === undefined || issue.createdAt >= filters.createdAfter) &&
    (filters.createdBefore === undefined || issue.createdAt <= filters.createdBefore) &&
    matchesSearch(issue, filters) &&
    !isExcluded(issue, filters.not, me, emoji)
  )
}

const matchesSearch = (issue: Issue, { search = '', in: columns = ['title', 'description'] }: FilterInput) => {
  const texts = columns.map((column) => (issue[column] ?? '').toLowerCase())
  const words = [...search.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').toLowerCase(),
  )
  const long = words.filter((word) => word.length >= 3)
  if (long.length) return long.every((word) => texts.some((text) => text.includes(word)))
  return search.trim() === '' || texts.includes(search.toLowerCase())
}

const isExcluded = (issue: Issue, not: FilterInput['not'], me: string, emoji: Emoji) =>
  Object.entries(not ?? {}).some(([name, value]) =>
    // An issue is excluded if it matches any one of several names.
    (name === 'labels' || name === 'assigneeUsername' ? (value as string[]).map((item) => [item]) : [value]).some(
      (item) => matchesFilters(issue, { [name]: item } as FilterInput, me, emoji),
    ),
  )

const inScope = (issue: Issue, scope: string | undefined, me: string) => {
  if (scope?.startsWith('created')) return issue.author.username === me
  if (scope?.startsWith('assigned')) return issue.assignees.some(({ username }) => username === me)
  return true
}

const verifyCountersCommand = command({ on: instance, can: 'user.manage', run: (ctx) => verifyCounters(ctx) })

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

type GeneratedWorld = typeof worldArbitrary extends fc.Arbitrary<infer T> ? T : never

const seedIssues = async ({ issues, web, level }: GeneratedWorld): Promise<Emoji> => {
  await forge.reset()
  const emoji = new Map<number, (readonly [string, string])[]>()
  await forge.platform.atomic(async (open, at) => {
    const host = open.as({ system: 'test' })
    await host.milestones.create({ project: 'bob/notes', title: 'next' })
    for (const { closed, created, milestone, emoji: reactions, ...issue } of issues) {
      const title = issue.project === 'bob/notes' ? 'next' : '1.0'
      const { id, iid } = await at(Date.parse(created))
        .as({ system: 'test' })
        .issues.create({ ...issue, milestone: milestone ? title : null })
      const ref = { project: issue.project, issue: iid }
      for (const [user, name] of reactions) await host.awardEmoji.create({ ...ref, name, user })
      if (closed) await host.issues.update({ ...ref, stateEvent: 'close' })
      emoji.set(id, reactions)
    }
    await host.projects.update({ project: 'acme/web', visibility: web, issuesAccessLevel: level })
  })
  return emoji
}

/** Filters the issues that the user can read, by reading each of them. */
const filterReadable = async (user: string, issues: readonly { issue: Issue; project: string }[]) => {
  const readable: { issue: Issue; project: string }[] = []
  for (const entry of issues) {
    const response = await forge
      .as(user)
      .issues.get({ project: entry.project, issue: entry.issue.iid })
      .catch(() => undefined)
    if (response) readable.push(entry)
  }
  return readable
}

const countByState = (issues: readonly Issue[]) => {
  const opened = issues.filter(({ state }) => state === 'opened').length
  return { all: issues.length, opened, closed: issues.length - opened }
}

test('counts equal those of a filter over individually read issues', async () => {
  let counted = 0
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async (drawn) => {
      const emoji = await seedIssues(drawn)
      const all: { issue: Issue; project: string }[] = []
      for (const project of projects) {
        if (project === 'acme/web' && drawn.level === 'disabled') continue
        const { items } = await forge.host.issues.list({ project, perPage: 100 })
        all.push(...items.map((issue) => ({ issue, project })))
      }
      for (const [index, filters] of drawn.filters.entries()) {
        const me = usernames[index % usernames.length] as string
        const readable = await filterReadable(me, all)
        const expected = (prefix: string, scope = filters.scope) =>
          countByState(
            readable
              .filter(({ project }) => project.startsWith(prefix))
              .map(({ issue }) => issue)
              .filter((issue) => inScope(issue, scope, me) && matchesFilters(issue, filters, me, emoji)),
          )
        const { issueStatistics } = forge.as(me)
        const input = JSON.stringify({ me, filters })
        const overall = await issueStatistics.get(filters)
        expect(overall, input).toEqual(expected('', filters.scope ?? 'created_by_me'))
        expect(await issueStatistics.get({ scope: 'all', ...filters }), input).toEqual(
          expected('', filters.scope ?? 'all'),
        )
        const inGroup = await issueStatistics.get({ group: 'acme', ...filters })
        expect(inGroup, input).toEqual(expected('acme/'))
        for (const project of projects) {
          const inProject = await issueStatistics.get({ project, ...filters }).catch(() => countByState([]))
          expect(inProject, `${project} ${input}`).toEqual(expected(project))
        }
        counted += inGroup.all
      }
      expect(await forge.host.run(verifyCountersCommand, {})).toEqual([])
    }),
    propertyRuns(10),
  )
  expect(counted).toBeGreaterThan(50)
}, 120_000)
