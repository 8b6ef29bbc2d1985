import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

const project = 'acme/web'

afterEach(() => vi.unstubAllGlobals())

/** All repository calls of the client. */
async function checkRepository(forge: FakeForge) {
  const api = new Gitlab({ host: forge.url, token: forge.tokens.dave as string })
  const { Repositories: repositories } = api

  const tree = await repositories.allRepositoryTrees(project, { recursive: true, perPage: 2 })
  expect(tree.map(({ path }) => path)).toEqual([
    'docs',
    'styles',
    'README.md',
    'docs/build.md',
    'index.html',
    'styles/site.css',
  ])
  const readme = tree.find(({ path }) => path === 'README.md')?.id as string
  const blob = (await repositories.showBlob(project, readme)) as unknown as { content: string; encoding: string }
  expect(Buffer.from(blob.content, 'base64').toString()).toBe('# Web\n\nThe public website of Acme.\n')
  const raw = (await repositories.showBlobRaw(project, readme)) as unknown as Blob | string
  expect(typeof raw === 'string' ? raw : await raw.text()).toBe('# Web\n\nThe public website of Acme.\n')

  const compared = await repositories.compare(project, 'v0.1.0', 'cache-home')
  expect(compared.commits?.map(({ title }) => title)).toEqual(['Say how to build', 'Cache the home page'])
  expect(compared.diffs?.map(({ new_path: path }) => path).sort()).toEqual(['cache.json', 'docs/build.md'])

  const contributors = await repositories.allContributors(project, { orderBy: 'name' })
  expect(contributors.map(({ name }) => name)).toEqual(['Alice Liddell', 'Bob Builder', 'Carol Danvers'])
  expect(await repositories.mergeBase(project, ['cache-home', 'v0.1.0'])).toMatchObject({ title: 'Add styles' })
  await expect(repositories.mergeBase(project, ['cache-home', 'nope'])).rejects.toThrow('Could not find ref: nope')

  const archive = (await repositories.showArchive(project, { fileType: 'tar.gz', sha: 'v0.1.0' })) as unknown as Blob
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-client-'))
  const file = join(folder, 'archive.tar.gz')
  writeFileSync(file, Buffer.from(await archive.arrayBuffer()))
  const names = execFileSync('tar', ['-tzf', file]).toString()
  rmSync(folder, { recursive: true })
  expect(names).toMatch(/^web-v0\.1\.0-[0-9a-f]{40}\/\n/)
  expect(names).toContain('/styles/site.css\n')

  const branches = await api.Branches.all(project)
  expect(branches.map(({ name, default: isDefault }) => [name, isDefault])).toEqual([
    ['cache-home', false],
    ['main', true],
  ])
  expect((await api.Branches.show(project, 'cache-home')).commit).toMatchObject({ author_name: 'Bob Builder' })
  expect((await api.Tags.all(project)).map(({ name }) => name)).toEqual(['v0.1.0'])
  expect(await api.Commits.show(project, 'main')).toMatchObject({ title: 'Say how to build' })
}

test('@gitbeaker/rest reads a repository over a port', async () => {
  await using forge = await world({ seed: demoWithCode, port: 0 })
  await checkRepository(forge)
})

test('@gitbeaker/rest reads a repository without a socket', async () => {
  await using forge = await world({ seed: demoWithCode })
  vi.stubGlobal('fetch', forge.fetch)
  await checkRepository(forge)
})
