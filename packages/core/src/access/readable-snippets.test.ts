import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/property-runs.ts'
import { world } from '../../../../test/world.ts'
import { findSnippet, snippetColumns, snippetRows } from '../features/snippets/queries.ts'
import { placedSnippet } from '../features/snippets/subject.ts'
import { query } from '../kernel/operation.ts'
import { visible } from '../policy.ts'
import { featureLevels, visibilities } from './levels.ts'
import { readableSnippets } from './predicates.ts'
import { instance } from './subjects.ts'

const people = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'mallory'] as const
const projects = ['acme/web', 'acme/tools/deploy', 'bob/notes'] as const

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

/** The ids of the snippets that the caller sees, by the condition and by the rule. */
const bothWays = query({
  on: instance,
  can: 'project.list',
  async run(ctx) {
    const listed = await snippetRows(ctx).where(readableSnippets(ctx)).select(snippetColumns).execute()
    const judged: number[] = []
    for (const { id } of await ctx.db.selectFrom('snippet').select('id').execute()) {
      const record = await findSnippet(ctx, id)
      if (record && visible.snippet.holds(ctx.actor, await placedSnippet(ctx, record))) judged.push(id)
    }
    return { listed: listed.map(({ id }) => id).sort((a, b) => a - b), judged: judged.sort((a, b) => a - b) }
  },
})

const aSnippet = fc.record({
  author: fc.constantFrom(...people),
  visibility: fc.constantFrom(...visibilities),
  project: fc.option(fc.constantFrom(...projects), { nil: undefined }),
})

const aWorld = fc.record({
  snippets: fc.array(aSnippet, { minLength: 5, maxLength: 20 }),
  levels: fc.record({ web: fc.constantFrom(...featureLevels), notes: fc.constantFrom(...featureLevels) }),
  visibility: fc.constantFrom(...visibilities),
})

test('the condition admits exactly the snippets that the rule does', async () => {
  let shown = 0
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ snippets, levels, visibility }) => {
      await forge.reset()
      await forge.platform.atomic(async (open) => {
        const host = open.as({ system: 'test' })
        for (const given of snippets) await host.snippets.create({ ...given, title: 'x', fileName: '', content: 'x' })
        await host.projects.update({ project: 'acme/web', snippetsAccessLevel: levels.web, visibility })
        await host.projects.update({ project: 'bob/notes', snippetsAccessLevel: levels.notes, visibility })
      })
      for (const who of [null, { system: 'test' }, ...people.map((user) => ({ user }))]) {
        const { listed, judged } = await forge.platform.as(who).run(bothWays, {})
        expect(listed, JSON.stringify(who)).toEqual(judged)
        shown += listed.length
      }
    }),
    propertyRuns(12),
  )
  expect(shown).toBeGreaterThan(100)
})
