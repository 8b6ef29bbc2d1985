import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'

/** Creates, reads, updates, promotes and deletes labels of a project. */
async function checkLabels(forge: FakeForge) {
  const api = new Gitlab({ host: forge.url, token: forge.tokens.alice as string })
  const project = 'acme/web'
  const labels = api.ProjectLabels

  const created = await labels.create(project, 'needs review', '#ff8800', {
    description: 'Someone **look**',
    priority: 2,
  })
  expect(created).toMatchObject({ name: 'needs review', color: '#ff8800', priority: 2, is_project_label: true })

  expect(await labels.show(project, 'needs review')).toMatchObject({ id: created.id })
  expect(await labels.show(project, created.id)).toMatchObject({ name: 'needs review' })

  expect(await labels.edit(project, 'needs review', { newName: 'reviewed' })).toMatchObject({ id: created.id })
  expect(await labels.edit(project, 'reviewed', { color: 'teal' })).toMatchObject({
    name: 'reviewed',
    color: '#008080',
  })

  for (let count = 0; count < 30; count++) await labels.create(project, `page ${count}`, 'red')
  const all = await labels.all(project, { perPage: 10, withCounts: true })
  expect(all).toHaveLength(34)
  expect(all.find(({ name }) => name === 'bug')).toMatchObject({ open_issues_count: 2 })

  // The client sends label subscriptions to /issues/, which is a defect of the client.
  await expect(labels.subscribe(project, 99_999)).rejects.toThrow(/not found/i)
  const send = client(forge)
  expect(await send(`POST /projects/acme%2Fweb/labels/${created.id}/subscribe`, { as: 'alice' })).toMatchObject({
    status: 200,
  })

  const promoted = await labels.promote(project, 'reviewed')
  expect(promoted).toMatchObject({ name: 'reviewed' })
  expect(await labels.show(project, 'reviewed')).toMatchObject({ is_project_label: false, subscribed: true })

  await labels.remove(project, 'page 1')
  await expect(labels.show(project, 'page 1')).rejects.toThrow('404 Label Not Found')
  await expect(labels.create(project, 'bug', 'red')).rejects.toThrow('Label already exists')
  await expect(labels.create(project, 'x', 'no colour')).rejects.toThrow('must be a valid color code')
}

afterEach(() => vi.unstubAllGlobals())

describe('@gitbeaker/rest', () => {
  test('manages labels on a server on a port', async () => {
    await using forge = await world({ port: 0 })
    await checkLabels(forge)
  })

  test('manages labels without a socket', async () => {
    await using forge = await world()
    vi.stubGlobal('fetch', forge.fetch)
    await checkLabels(forge)
  })
})
