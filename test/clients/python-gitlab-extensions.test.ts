import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { demoWithCode } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { extensionRoutes } from '../coverage/extension-routes.ts'
import { world } from '../sqlite-world.ts'
import { createZip } from '../support/zip.ts'
import { python } from './python.ts'

const isSuccess = (status: number | null) => status !== null && status < 300
const isRefused = (status: number | null) => [401, 403, 404].includes(status ?? 0)

test.skipIf(python === undefined)(
  'python-gitlab calls each extension route, as a permitted user and as a refused one',
  async () => {
    await using forge = await world({ seed: demoWithCode, port: 0, journal: { exchanges: 10_000 } })
    await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
    await forge.host.groups.update({ group: 'acme', visibility: 'private' })
    const node = await forge.host.replicaNodes.create({ name: 'second', url: 'https://second.example.com' })
    await forge.host.replicaNodes.report({ node: node.id, healthy: true })
    const { commit } = await forge.host.branches.get({ project: 'acme/web', branch: 'main' })
    const pipeline = await forge.host.pipelines.record({
      project: 'acme/web',
      ref: 'main',
      sha: commit.id,
      jobs: [
        { name: 'build', stage: 'build', status: 'success' },
        { name: 'ask', stage: 'ask', status: 'manual', allowFailure: true },
      ],
    })
    for (const { id: job } of (await forge.host.pipelineJobs.list({ project: 'acme/web', pipeline: pipeline.id }))
      .items)
      await forge.host.pipelineJobs.storeArtifacts({
        project: 'acme/web',
        job,
        file: { fileName: 'a.zip', content: createZip([{ path: 'a.txt', content: 'a' }]) },
      })
    const repository = await forge.host.containerRepositories.create({ project: 'acme/web' })
    const { id: linked } = await forge.host.users.get({ user: 'bob' })
    await forge.host.identities.link({ user: linked, provider: 'crm', externalUid: '7' })
    await forge.host.exports.create({ project: 'acme/web' })
    await forge.host.exports.create({ group: 'acme' })
    await forge.platform.jobs.drain()
    const tokens = ['alice', 'root', 'mallory'].map((user) => forge.tokens[user] as string)
    const script = join(import.meta.dirname, 'python-gitlab-extensions.py')
    const args = [script, forge.url, ...tokens, ...[node.id, repository.id, linked].map(String)]
    const { stdout } = await promisify(execFile)(python as string, args, { maxBuffer: 10_000_000 })
    const { routes, failures } = JSON.parse(stdout) as { routes: string[]; failures: string[] }
    expect(failures).toEqual([])
    const called = routes.map((line) => line.replace(' ', ' /api/v4'))
    const exchanges = forge.journal.all
    expect(
      called.filter((line) => !exchanges.some(({ route, status }) => route === line && isSuccess(status))),
    ).toEqual([])
    expect(
      called.filter((line) => !exchanges.some(({ route, status }) => route === line && isRefused(status))),
    ).toEqual([])
    // The client has no call for the others.
    const extensions = new Set(Object.values(extensionRoutes).flat())
    expect(called.filter((line) => !extensions.has(line))).toEqual([])
    expect(called.length).toBeGreaterThan(500)
  },
  120_000,
)
