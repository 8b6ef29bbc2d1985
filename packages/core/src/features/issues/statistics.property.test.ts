import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import { world } from '../../../../../test/world.ts'
import { featureLevels, visibilities } from '../../access/levels.ts'
import { instance } from '../../access/subjects.ts'
import { command } from '../../kernel/operation.ts'
import type { IssueFilters } from './filters.ts'
import type { Issue } from './issue.ts'
import { verifyCounters } from './upkeep.ts'

const people = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'mallory'] as const
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

const anIssue = fc.record({
  project: fc.constantFrom(...projects),
  author: fc.constantFrom(...people),
  title: fc.constantFrom(...titles),
  description: fc.constantFrom(...descriptions),
  confidential: fc.boolean(),
  assignees: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 2 }),
  labels: fc.uniqueArray(fc.constantFrom(...labelNames), { maxLength: 2 }),
  milestone: fc.boolean(),
  closed: fc.boolean(),
  created: fc.constantFrom(...instants),
  emoji: fc.uniqueArray(fc.tuple(fc.constantFrom('root', 'alice', 'carol'), fc.constantFrom(...emojiNames)), {
    maxLength: 2,
    selector: ([user, name]) => `${user} ${name}`,
  }),
})

const orWord = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: values }, fc.constantFrom('None', 'any'))
const sometimes = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })

const matching = {
  labels: sometimes(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.uniqueArray(fc.constantFrom(...labelNames, 'unknown'), { minLength: 1, maxLength: 2 }),
      },
      fc.constantFrom(['None'], ['ANY']),
    ),
  ),
  milestone: sometimes(orWord(fc.constantFrom(...milestones))),
  authorUsername: sometimes(fc.constantFrom<string>(...people, 'unknown')),
  myReactionEmoji: sometimes(orWord(fc.constantFrom<string>(...emojiNames))),
  iids: sometimes(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })),
  assigneeUsername: sometimes(fc.uniqueArray(fc.constantFrom<string>(...people), { minLength: 1, maxLength: 2 })),
}

/** At most three filters at a time: with all of them nothing would ever match. */
const someOf = (filters: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .subarray(Object.keys(filters), { maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, filters[name] as fc.Arbitrary<unknown>]))),
    )
    .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)))

const someFilters = someOf({
  ...matching,
  assigneeId: fc.constantFrom('None', 'ANY', 0),
  scope: fc.constantFrom('created_by_me', 'assigned_to_me', 'all', 'assigned-to-me'),
  search: fc.constantFrom(...searches),
  in: fc.constantFrom(['title'], ['description'], ['title', 'description']),
  createdAfter: fc.constantFrom(...instants),
  createdBefore: fc.constantFrom(...instants),
  confidential: fc.boolean(),
  not: someOf(matching),
})
  .filter((filters) => !(filters.assigneeId !== undefined && filters.assigneeUsername !== undefined))
  .map((filters) => filters as IssueFilters)

const aWorld = fc.record({
  issues: fc.array(anIssue, { minLength: 6, maxLength: 14 }),
  web: fc.constantFrom(...visibilities),
  level: fc.constantFrom(...featureLevels),
  filters: fc.array(someFilters, { minLength: 10, maxLength: 10 }),
})

type Given = IssueFilters['not'] & IssueFilters
type Emoji = ReadonlyMap<number, readonly (readonly [string, string])[]>

const isWord = (value: unknown, word: string) => String(value).toLowerCase() === word

/** Each filter on one issue, as its row of the table says it. */
const matches = (issue: Issue, filters: Given, me: string, emoji: Emoji): boolean => {
  const { labels, milestone, authorUsername, assigneeUsername, assigneeId, iids, myReactionEmoji } = filters
  const assigned = issue.assignees.map(({ username }) => username)
  const mine = (emoji.get(issue.id) ?? []).filter(([user]) => user === me).map(([, name]) => name)
  const one = (value: string, has: readonly string[]) =>
    isWord(value, 'none') ? has.length === 0 : isWord(value, 'any') ? has.length > 0 : has.includes(value)
  return (
    (labels ?? []).every((name) => one(name, issue.labels)) &&
    (milestone === undefined || one(milestone, issue.milestone ? [issue.milestone.title] : [])) &&
    (authorUsername === undefined || issue.author.username === authorUsername) &&
    (assigneeUsername ?? []).every((name) => assigned.includes(name)) &&
    (assigneeId === undefined || one(assigneeId === 0 ? 'none' : String(assigneeId), assigned)) &&
    (myReactionEmoji === undefined || one(myReactionEmoji, mine)) &&
    (iids === undefined || iids.includes(issue.iid)) &&
    (filters.confidential === undefined || issue.confidential === filters.confidential) &&
    (filters.createdAfter === undefined || issue.createdAt >= filters.createdAfter) &&
    (filters.createdBefore === undefined || issue.createdAt <= filters.createdBefore) &&
    searched(issue, filters) &&
    !refused(issue, filters.not, me, emoji)
  )
}

const searched = (issue: Issue, { search = '', in: columns = ['title', 'description'] }: Given) => {
  const texts = columns.map((column) => (issue[column] ?? '').toLowerCase())
  const words = [...search.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').toLowerCase(),
  )
  const long = words.filter((word) => word.length >= 3)
  if (long.length) return long.every((word) => texts.some((text) => text.includes(word)))
  return search.trim() === '' || texts.includes(search.toLowerCase())
}

const refused = (issue: Issue, not: Given['not'], me: string, emoji: Emoji) =>
  Object.entries(not ?? {}).some(([name, value]) =>
    // Of several names, having any one is enough to be left out.
    (name === 'labels' || name === 'assigneeUsername' ? (value as string[]).map((one) => [one]) : [value]).some(
      (each) => matches(issue, { [name]: each } as Given, me, emoji),
    ),
  )

const inScope = (issue: Issue, scope: string | undefined, me: string) => {
  if (scope?.startsWith('created')) return issue.author.username === me
  if (scope?.startsWith('assigned')) return issue.assignees.some(({ username }) => username === me)
  return true
}

/** What triggers keep is what it must be. */
const kept = command({ on: instance, can: 'user.manage', run: (ctx) => verifyCounters(ctx) })

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

type Drawn = typeof aWorld extends fc.Arbitrary<infer T> ? T : never

const build = async ({ issues, web, level }: Drawn): Promise<Emoji> => {
  await forge.reset()
  const emoji = new Map<number, (readonly [string, string])[]>()
  await forge.platform.atomic(async (open, at) => {
    const host = open.as({ system: 'test' })
    await host.milestones.create({ project: 'bob/notes', title: 'next' })
    for (const { closed, created, milestone, emoji: given, ...issue } of issues) {
      const title = issue.project === 'bob/notes' ? 'next' : '1.0'
      const { id, iid } = await at(Date.parse(created))
        .as({ system: 'test' })
        .issues.create({ ...issue, milestone: milestone ? title : null })
      const ref = { project: issue.project, issue: iid }
      for (const [user, name] of given) await host.awardEmoji.giveToIssue({ ...ref, name, user })
      if (closed) await host.issues.close(ref)
      emoji.set(id, given)
    }
    await host.projects.update({ project: 'acme/web', visibility: web, issuesAccessLevel: level })
  })
  return emoji
}

/** Every issue, and which of them a caller reads one by one. */
const readable = async (user: string, all: readonly { issue: Issue; project: string }[]) => {
  const found: { issue: Issue; project: string }[] = []
  for (const one of all) {
    const answer = await forge
      .as(user)
      .issues.get({ project: one.project, issue: one.issue.iid })
      .catch(() => undefined)
    if (answer) found.push(one)
  }
  return found
}

const tally = (issues: readonly Issue[]) => {
  const opened = issues.filter(({ state }) => state === 'opened').length
  return { all: issues.length, opened, closed: issues.length - opened }
}

test('counts equal those of asking for every issue by itself', async () => {
  let counted = 0
  await fc.assert(
    fc.asyncProperty(aWorld, async (drawn) => {
      const emoji = await build(drawn)
      const all: { issue: Issue; project: string }[] = []
      for (const project of projects) {
        if (project === 'acme/web' && drawn.level === 'disabled') continue
        const { items } = await forge.host.issues.list({ project, perPage: 100 })
        all.push(...items.map((issue) => ({ issue, project })))
      }
      for (const [at, filters] of drawn.filters.entries()) {
        const me = people[at % people.length] as string
        const seen = await readable(me, all)
        const expected = (prefix: string, scope = filters.scope) =>
          tally(
            seen
              .filter(({ project }) => project.startsWith(prefix))
              .map(({ issue }) => issue)
              .filter((issue) => inScope(issue, scope, me) && matches(issue, filters, me, emoji)),
          )
        const { issueStatistics } = forge.as(me)
        const asked = JSON.stringify({ me, filters })
        const overall = await issueStatistics.overall(filters)
        expect(overall, asked).toEqual(expected('', filters.scope ?? 'created_by_me'))
        expect(await issueStatistics.overall({ scope: 'all', ...filters }), asked).toEqual(
          expected('', filters.scope ?? 'all'),
        )
        const inGroup = await issueStatistics.ofGroup({ group: 'acme', ...filters })
        expect(inGroup, asked).toEqual(expected('acme/'))
        for (const project of projects) {
          const answer = await issueStatistics.ofProject({ project, ...filters }).catch(() => tally([]))
          expect(answer, `${project} ${asked}`).toEqual(expected(project))
        }
        counted += inGroup.all
      }
      expect(await forge.host.run(kept, {})).toEqual([])
    }),
    propertyRuns(10),
  )
  expect(counted).toBeGreaterThan(50)
}, 120_000)
