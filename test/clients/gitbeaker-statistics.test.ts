import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

/** All issue statistics calls of the client. */
async function checkStatistics(forge: FakeForge) {
  const { IssuesStatistics } = new Gitlab({ host: forge.url, token: forge.tokens.alice as string })
  const counts = async (response: Promise<unknown>) =>
    ((await response) as { statistics: { counts: { all: number; opened: number; closed: number } } }).statistics.counts

  expect(await counts(IssuesStatistics.all())).toEqual({ all: 0, opened: 0, closed: 0 })
  expect(await counts(IssuesStatistics.all({ scope: 'all' }))).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await counts(IssuesStatistics.all({ groupId: 'acme' }))).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await counts(IssuesStatistics.all({ projectId: 'acme/web' }))).toEqual({ all: 4, opened: 3, closed: 1 })
  const filtered = IssuesStatistics.all({
    projectId: 'acme/web',
    labels: 'bug,urgent',
    milestone: '1.0',
    authorUsername: 'dave',
    assigneeUsername: 'bob',
    iids: [1, 2],
    search: 'slow page',
    confidential: false,
    createdAfter: '2000-01-01T00:00:00Z',
  })
  expect(await counts(filtered)).toEqual({ all: 1, opened: 1, closed: 0 })
  await expect(IssuesStatistics.all({ projectId: 999_999 })).rejects.toThrow('404 Project Not Found')
}

afterEach(() => vi.unstubAllGlobals())

describe('@gitbeaker/rest', () => {
  test('counts issues on a server on a port', async () => {
    await using forge = await world({ port: 0 })
    await checkStatistics(forge)
  })

  test('counts issues without a socket', async () => {
    await using forge = await world()
    vi.stubGlobal('fetch', forge.fetch)
    await checkStatistics(forge)
  })
})
