import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { type Checkout, checkout } from './checkout.ts'
import { installTools, runTool } from './install-tools.ts'

/** Complete runs of renovate against a forge on a port. Renovate takes 340 MB, so `pnpm test:trust renovate` runs them. */

const project = 'acme/web'
const isRequested = process.env.FORGELET_RENOVATE === 'run'

beforeAll(async () => {
  if (isRequested && (await installTools('renovate')) === undefined) throw new Error('renovate could not be downloaded')
}, 300_000)

const published = { '1.0.0': '2020-01-01T00:00:00Z', '1.1.0': '2021-01-01T00:00:00Z', '2.0.0': '2022-01-01T00:00:00Z' }

/** A package registry with one package. */
const startRegistry = async (): Promise<Server> => {
  const versions = Object.keys(published).map((version) => {
    const dist = { tarball: `http://127.0.0.1/left-tool-${version}.tgz` }
    return [version, { name: 'left-tool', version, dist }] as const
  })
  const manifest = { name: 'left-tool', 'dist-tags': { latest: '2.0.0' }, time: published }
  const body = JSON.stringify({ ...manifest, versions: Object.fromEntries(versions) })
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(url === '/left-tool' ? body : '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

let forge: FakeForge
let work: Checkout
let registry: Server
beforeEach(async () => {
  registry = await startRegistry()
  forge = await world({ port: 0 })
  work = await checkout(forge, project)
  const { port } = registry.address() as AddressInfo
  const packageRules = [
    { matchDatasources: ['npm'], registryUrls: [`http://127.0.0.1:${port}/`] },
    { matchUpdateTypes: ['minor'], automerge: true, platformAutomerge: false, ignoreTests: true },
  ]
  await work.commit('Use a package', {
    'package.json': JSON.stringify({ name: 'web', version: '1.0.0', dependencies: { 'left-tool': '1.0.0' } }, null, 2),
    'renovate.json': JSON.stringify({ packageRules }),
  })
  await work.push('main')
})
afterEach(async () => {
  work.remove()
  registry.close()
  await forge.close()
})

const renovate = async (options: Readonly<Record<string, string>> = {}) => {
  const { code, output } = await runTool('renovate/dist/renovate.js', [], {
    set: 'renovate',
    cwd: work.folder,
    env: {
      RENOVATE_PLATFORM: 'gitlab',
      RENOVATE_ENDPOINT: `${forge.url}/api/v4/`,
      RENOVATE_TOKEN: forge.token('alice'),
      RENOVATE_REPOSITORIES: project,
      RENOVATE_ONBOARDING: 'false',
      RENOVATE_REQUIRE_CONFIG: 'optional',
      RENOVATE_ENABLED_MANAGERS: '["npm"]',
      RENOVATE_BASE_DIR: join(work.folder, '..', 'renovate'),
      LOG_LEVEL: 'info',
      ...options,
    },
  })
  await forge.platform.jobs.drain()
  return { code, output }
}

const listMergeRequests = async () => {
  const { items } = await forge.host.mergeRequests.list({ project, sort: 'asc' })
  return items
    .filter(({ sourceBranch }) => sourceBranch.startsWith('renovate/'))
    .map(({ sourceBranch, state }) => `${sourceBranch} ${state}`)
}

const readDependency = async () => {
  const { content } = await forge.host.repositoryFiles.get({ project, filePath: 'package.json', ref: 'main' })
  return JSON.parse(Buffer.from(content, 'base64').toString()).dependencies['left-tool']
}

test.runIf(isRequested)(
  'a dry run finds updates and changes nothing',
  async () => {
    const { code, output } = await renovate({ RENOVATE_DRY_RUN: 'full' })
    expect(output).toContain('DRY-RUN: Would commit files to branch renovate/left-tool-2.x')
    expect(code).toBe(0)
    expect(await listMergeRequests()).toEqual([])
  },
  120_000,
)

test.runIf(isRequested)(
  'merge requests are opened once, and merged automatically where the rules say so',
  async () => {
    // Each run merges or opens what the state of the repository permits.
    for (let run = 0; run < 4; run++) expect((await renovate()).code).toBe(0)
    expect(await listMergeRequests()).toEqual(['renovate/left-tool-1.x merged', 'renovate/left-tool-2.x opened'])
    expect(await readDependency()).toBe('1.1.0')
    const branches = await forge.host.branches.list({ project, search: 'renovate' })
    expect(branches.items.map(({ name }) => name)).toEqual(['renovate/left-tool-2.x'])
  },
  300_000,
)
