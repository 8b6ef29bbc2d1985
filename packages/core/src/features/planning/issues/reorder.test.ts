import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/property-runs.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

const listIssues = async () =>
  (await forge.as('alice').issues.list({ project, orderBy: 'relative_position', sort: 'asc', perPage: 100 })).items

const listIids = async () => (await listIssues()).map(({ iid }) => iid)

test('any moves give the order of a list', async () => {
  for (let at = 0; at < 4; at++) await forge.host.issues.create({ project, title: 'x', author: 'bob' })
  const index = fc.nat(7)
  const moves = fc.array(fc.record({ moved: index, neighbor: index, side: fc.constantFrom('before', 'after') }), {
    minLength: 10,
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(moves, async (steps) => {
      for (const { moved, neighbor, side } of steps) {
        const issues = await listIssues()
        const [issue, next] = [issues[moved], issues[neighbor]]
        if (issue === undefined || next === undefined || issue === next) continue
        const key = side === 'before' ? 'moveBeforeId' : 'moveAfterId'
        await forge.as('bob').issues.reorder({ project, issue: issue.iid, [key]: next.id })
        const expected = issues.filter((other) => other !== issue)
        expected.splice(expected.indexOf(next) + (side === 'before' ? 1 : 0), 0, issue)
        expect(await listIids()).toEqual(expected.map(({ iid }) => iid))
      }
    }),
    propertyRuns(3),
  )
}, 60_000)

test('new issues are last, also after moves to the end', async () => {
  for (let at = 0; at < 25; at++) {
    const issues = await listIssues()
    const [first, last] = [issues[0], issues.at(-1)]
    await forge.as('bob').issues.reorder({ project, issue: first?.iid as number, moveBeforeId: last?.id })
  }
  const { iid } = await forge.host.issues.create({ project, title: 'New', author: 'bob' })
  expect((await listIids()).at(-1)).toBe(iid)
})

test('authors move their issues, next to issues of the project that they can read', async () => {
  const [first, second, secret] = await listIssues()
  const dave = forge.as('dave').issues
  const move = (moveBeforeId?: number) => dave.reorder({ project, issue: first?.iid as number, moveBeforeId })
  const missing = { code: 'not_found' }
  expect(secret).toMatchObject({ confidential: true })
  await expect(move(secret?.id)).rejects.toMatchObject(missing)
  const { id: elsewhere } = await forge.host.issues.create({
    project: 'acme/tools/deploy',
    title: 'Elsewhere',
    author: 'alice',
  })
  await expect(move(elsewhere)).rejects.toMatchObject(missing)
  await expect(move()).rejects.toMatchObject({ code: 'invalid_input' })
  await move(second?.id)
  expect((await listIids()).slice(0, 2)).toEqual([second?.iid, first?.iid])
  const others = dave.reorder({ project, issue: second?.iid as number, moveAfterId: first?.id })
  await expect(others).rejects.toMatchObject({ code: 'forbidden' })
})
