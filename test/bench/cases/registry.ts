import { createPlatform, sqlite } from '@forgelet/core'
import { plant } from '@forgelet/core/seed'
import { tagSelector } from '../../../packages/core/src/features/registry/bulk-delete.ts'
import { tagPattern } from '../../../packages/core/src/features/registry/tag-pattern.ts'
import { alternate, quantile } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'

const rounds = 60
const count = 10_000

/** Names as pipelines make them: releases, commits, branches and dates. */
const names = Array.from({ length: count }, (_, at) => {
  const hex = (at * 2_654_435_761).toString(16).padStart(12, '0').slice(-12)
  const kinds = [
    `v${at % 7}.${at % 31}.${at}`,
    `main-${hex}`,
    `release-${at % 12}.${at}`,
    `feature-login-${at}`,
    `2026-01-${at}`,
  ]
  return kinds[at % kinds.length] as string
})

interface Pattern {
  readonly what: string
  readonly re2: string
  /** The same for the engine of the language, which backtracks. */
  readonly own: RegExp
  /** How many times its time is allowed; absent where backtracking is not plain. */
  readonly most?: number
}

const patterns: readonly Pattern[] = [
  { what: '.*', re2: '.*', own: /^.*$/s, most: 12 },
  { what: 'versions', re2: 'v[0-9]+\\.[0-9]+\\.[0-9]+', own: /^v[0-9]+\.[0-9]+\.[0-9]+$/, most: 12 },
  { what: '(main|release-.*)', re2: '(main|release-.*)', own: /^(main|release-.*)$/, most: 12 },
  { what: 'commits', re2: 'main-[a-f0-9]{12}', own: /^main-[a-f0-9]{12}$/, most: 12 },
  { what: 'nested stars', re2: '([a-z]*)*-([0-9]*)*x', own: /^([a-z]*)*-([0-9]*)*x$/ },
]

/** Work of a millisecond is either measured alone or together with a neighbour: the best time is its own. */
const best = (times: readonly number[]) => quantile(times, 0)

const compiled = (text: string) => {
  const found = tagPattern(text)
  if ('complaint' in found) throw new Error(found.complaint)
  return found.pattern
}

const timed = (work: () => unknown) => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const matching = async ({ what, re2, own, most }: Pattern): Promise<Line> => {
  const { matches } = compiled(re2)
  const found = names.filter((name) => matches(name))
  const expected = names.filter((name) => own.test(name))
  if (found.join('\n') !== expected.join('\n')) throw new Error(`${what}: the matches differ`)
  const ways = { own: () => names.filter((name) => own.test(name)), ours: () => names.filter((name) => matches(name)) }
  const times = await alternate(['own', 'ours'], rounds, (name) => timed(ways[name]))
  const [theirs, ours] = [best(times.own), best(times.ours)]
  const ratio = ours / theirs
  const figures = [found.length, theirs, ours, ratio]
  return most === undefined ? { what, figures } : atMost(`${what}: times the time`, figures, ratio, most)
}

const hostile = async (): Promise<Line> => {
  const { matches } = compiled('(a+)+$')
  const name = `${'a'.repeat(100_000)}b`
  const times = await alternate(['ours'], rounds, () => timed(() => matches(name)))
  return atMost('(a+)+$ on 100,000 characters: ms', [1, '', best(times.ours), ''], best(times.ours), 10)
}

const digest = `sha256:${'a'.repeat(64)}`

/** A repository of ten thousand tags, from the call to the last deletion. */
const wholeJob = async (): Promise<Line[]> => {
  const platform = createPlatform(sqlite(':memory:'))
  const tags = names.map((name) => ({ name: name.slice(0, 128), digest }))
  const project = 'acme/web'
  await plant(platform, {
    groups: [{ path: 'acme' }],
    projects: [{ path: project, containerRepositories: [{ tags }] }],
  })
  const host = platform.as({ system: 'bench' })
  const [repository] = (await host.containerRepositories.list({ project })).items
  const id = repository?.id as number
  const page = async () => {
    const start = performance.now()
    await host.containerTags.list({ project, repository: id, page: 400, perPage: 20 })
    return performance.now() - start
  }
  const pages = await alternate(['page'], rounds, page)
  await host.containerTags.removeMatching({
    project,
    repository: id,
    nameRegexDelete: '.*',
    nameRegexKeep: 'v0.*',
    keepN: 100,
  })
  const start = performance.now()
  await platform.jobs.drain()
  const time = performance.now() - start
  const left = (await host.containerRepositories.list({ project, tagsCount: true })).items[0]?.tagsCount ?? 0
  await platform.close()
  const selects = tagSelector({ nameRegexDelete: '.*', nameRegexKeep: 'v0.*' })
  const expected = 100 + names.filter((name) => !selects?.(name)).length
  if (left !== expected) throw new Error(`${left} tags are left instead of ${expected}`)
  return [
    { what: 'page 400 of the tags', figures: [count, '', best(pages.page), ''] },
    { what: 'deletion by rule', figures: [count - left, '', time, ''] },
  ]
}

/** Expressions of users over the tags of a large repository, against the engine of the language. */
export async function containerRegistry(): Promise<Table[]> {
  const lines: Line[] = []
  for (const pattern of patterns) lines.push(await matching(pattern))
  lines.push(await hostile())
  lines.push(...(await wholeJob()))
  return [
    {
      title: `Expressions over ${count.toLocaleString('en')} tags`,
      columns: ['tags', 'own engine ms', 'ours ms', 'ratio'],
      lines,
      notes: [
        'The own engine takes exponential time for hostile expressions: with 28 characters and (a+)+$ it needs seconds.',
      ],
    },
  ]
}
