import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/property-runs.ts'
import { world } from '../../../../test/world.ts'
import { findSnippet, snippetColumns, snippetRows } from '../features/collaboration/snippets/queries.ts'
import { loadSnippetSubject } from '../features/collaboration/snippets/subject.ts'
import { query } from '../kernel/operation.ts'
import { isVisibleTo } from '../policy/visible.ts'
import { featureLevels, visibilities } from './levels.ts'
import { readableSnippets } from './predicates.ts'
import { instance } from './subjects.ts'

const usernames = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'mallory'] as const
const projects = ['acme/web', 'acme/tools/deploy', 'bob/notes'] as const

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

/** The ids of the snippets that the current user can read, according to the SQL condition and to the rule. */
const compareReadableSnippets = query({
  on: instance,
  can: 'project.list',
  async run(ctx) {
    const listed = await snippetRows(ctx).where(readableSnippets(ctx)).select(snippetColumns).execute()
    const allowed: number[] = []
    for (const { id } of await ctx.db.selectFrom('snippet').select('id').execute()) {
      const record = await findSnippet(ctx, id)
      if (record && isVisibleTo(ctx.actor, await loadSnippetSubject(ctx, record))) allowed.push(id)
    }
    return { listed: listed.map(({ id }) => id).sort((a, b) => a - b), allowed: allowed.sort((a, b) => a - b) }
  },
})

const snippetArbitrary = fc.record({
  author: fc.constantFrom(...usernames),
  visibility: fc.constantFrom(...visibilities),
  project: fc.option(fc.constantFrom(...projects), { nil: undefined }),
})

const worldArbitrary = fc.record({
  snippets: fc.array(snippetArbitrary, { minLength: 5, maxLength: 20 }),
  levels: fc.record({ web: fc.constantFrom(...featureLevels), notes: fc.constantFrom(...featureLevels) }),
  visibility: fc.constantFrom(...visibilities),
})

test('the SQL condition admits the same snippets as the rule', async () => {
  let readable = 0
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async ({ snippets, levels, visibility }) => {
      await forge.reset()
      await forge.platform.atomic(async (open) => {
        const host = open.as({ system: 'test' })
        for (const snippet of snippets) {
          await host.snippets.create({ ...snippet, title: 'x', fileName: '', content: 'x' })
        }
        await host.projects.update({ project: 'acme/web', snippetsAccessLevel: levels.web, visibility })
        await host.projects.update({ project: 'bob/notes', snippetsAccessLevel: levels.notes, visibility })
      })
      for (const identity of [null, { system: 'test' }, ...usernames.map((user) => ({ user }))]) {
        const { listed, allowed } = await forge.platform.as(identity).run(compareReadableSnippets, {})
        expect(listed, JSON.stringify(identity)).toEqual(allowed)
        readable += listed.length
      }
    }),
    propertyRuns(12),
  )
  expect(readable).toBeGreaterThan(100)
})
