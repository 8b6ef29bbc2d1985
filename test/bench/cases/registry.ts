import { createPlatform, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { createTagSelector } from '../../../packages/core/src/features/delivery/container-repositories/bulk-delete.ts'
import { compileNamePattern } from '../../../packages/core/src/kernel/name-pattern.ts'
import { alternate, quantile } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'

const rounds = 60
const count = 10_000

/** Tag names in the style of pipelines: releases, commits, branches and dates. */
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
  /** The equivalent for the engine of JavaScript, which backtracks. */
  readonly native: RegExp
  /** The maximum ratio to the time of `native`; omitted for patterns that cause backtracking. */
  readonly most?: number
}

const patterns: readonly Pattern[] = [
  { what: '.*', re2: '.*', native: /^.*$/s, most: 12 },
  { what: 'versions', re2: 'v[0-9]+\\.[0-9]+\\.[0-9]+', native: /^v[0-9]+\.[0-9]+\.[0-9]+$/, most: 12 },
  { what: '(main|release-.*)', re2: '(main|release-.*)', native: /^(main|release-.*)$/, most: 12 },
  { what: 'commits', re2: 'main-[a-f0-9]{12}', native: /^main-[a-f0-9]{12}$/, most: 12 },
  { what: 'nested stars', re2: '([a-z]*)*-([0-9]*)*x', native: /^([a-z]*)*-([0-9]*)*x$/ },
]

/** The minimum: other load on the machine can only add time to work of a millisecond. */
const best = (times: readonly number[]) => quantile(times, 0)

const compile = (text: string) => {
  const result = compileNamePattern(text)
  if ('problem' in result) throw new Error(result.problem)
  return result.pattern
}

const measure = (work: () => unknown) => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const comparePattern = async ({ what, re2, native, most }: Pattern): Promise<Line> => {
  const { matches } = compile(re2)
  const matched = names.filter((name) => matches(name))
  const expected = names.filter((name) => native.test(name))
  if (matched.join('\n') !== expected.join('\n')) throw new Error(`${what}: the matches differ`)
  const variants = {
    native: () => names.filter((name) => native.test(name)),
    ours: () => names.filter((name) => matches(name)),
  }
  const times = await alternate(['native', 'ours'], rounds, (name) => measure(variants[name]))
  const [reference, ours] = [best(times.native), best(times.ours)]
  const ratio = ours / reference
  const values = [matched.length, reference, ours, ratio]
  return most === undefined ? { what, values } : atMost(`${what}: times the time`, values, ratio, most)
}

const hostile = async (): Promise<Line> => {
  const { matches } = compile('(a+)+$')
  const name = `${'a'.repeat(100_000)}b`
  const times = await alternate(['ours'], rounds, () => measure(() => matches(name)))
  return atMost('(a+)+$ on 100,000 characters: ms', [1, '', best(times.ours), ''], best(times.ours), 10, {
    unit: 'ms',
    reference: 'none: an absolute limit',
  })
}

const digest = `sha256:${'a'.repeat(64)}`

/** Bulk deletion by rule in a repository with 10,000 tags. */
const bulkDeletion = async (): Promise<Line[]> => {
  const platform = createPlatform(sqlite(':memory:'))
  const tags = names.map((name) => ({ name: name.slice(0, 128), digest }))
  const project = 'acme/web'
  await seed(platform, {
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
  const remaining = (await host.containerRepositories.list({ project, tagsCount: true })).items[0]?.tagsCount ?? 0
  await platform.close()
  const selects = createTagSelector({ nameRegexDelete: '.*', nameRegexKeep: 'v0.*' })
  const expected = 100 + names.filter((name) => !selects?.(name)).length
  if (remaining !== expected) throw new Error(`${remaining} tags remain instead of ${expected}`)
  return [
    { what: 'page 400 of the tags', values: [count, '', best(pages.page), ''] },
    { what: 'deletion by rule', values: [count - remaining, '', time, ''] },
  ]
}

/** Tag patterns on a large repository, compared with the regular expressions of JavaScript. */
export async function containerRegistry(): Promise<Table[]> {
  const lines: Line[] = []
  for (const pattern of patterns) lines.push(await comparePattern(pattern))
  lines.push(await hostile())
  lines.push(...(await bulkDeletion()))
  return [
    {
      title: `Patterns on ${count.toLocaleString('en')} tags`,
      reference: 'regular expressions of JavaScript',
      columns: ['tags', 'JavaScript ms', 'ours ms', 'ratio'],
      lines,
      notes: [
        'Regular expressions of JavaScript take exponential time for hostile patterns: (a+)+$ takes seconds for 28 characters.',
      ],
    },
  ]
}
