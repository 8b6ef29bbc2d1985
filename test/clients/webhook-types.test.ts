import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'

/** Receivers whose code is typed with a published package of webhook types accept the payloads. */

const modules = join(import.meta.dirname, '../../node_modules')
const project = 'acme/web'

let forge: FakeForge
let folder: string
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  folder = await mkdtemp(join(tmpdir(), 'forgelet-webhook-types-'))
  await symlink(modules, join(folder, 'node_modules'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await forge.close()
})

/**
 * The types of the package by the kind of the event. Its changes are only those of some fields, its merge status lacks the
 * documented `unchecked`, and its jobs have the commit of a push instead of the documented one.
 */
const typeNames = {
  push: 'Events.PushEvent',
  tag_push: 'Events.TagPushEvent',
  issue: "Omit<Events.IssueEvent, 'changes'>",
  note: 'Events.NoteEvent',
  merge_request: 'MergeRequestEvent',
  pipeline: 'Events.PipelineEvent',
  build: "Omit<Events.JobEvent, 'commit'>",
  deployment: 'Events.DeploymentEvent',
  release: 'Events.ReleaseEvent',
} as const

type Kind = keyof typeof typeNames

/** Causes events of every kind, and several of most. */
const causeEvents = async () => {
  const [alice, bob] = [forge.as('alice'), forge.as('bob')]
  await bob.commits.create({
    project,
    branch: 'topic',
    startBranch: 'main',
    commitMessage: 'Begin',
    actions: [
      { action: 'create', filePath: 'a.txt', content: 'a' },
      {
        action: 'create',
        filePath: '.gitlab-ci.yml',
        content: 'build: { script: make, rules: [{ when: always }] }',
      },
    ],
  })
  const sha = (await forge.host.branches.get({ project, branch: 'topic' })).commit.id
  await alice.tags.create({ project, tagName: 'v1', ref: 'main', message: 'First' })
  await alice.tags.remove({ project, tagName: 'v1' })
  await alice.tags.create({ project, tagName: 'v2' })
  await alice.releases.create({ project, tagName: 'v2', name: 'Second', description: 'Notes' })
  const { id: milestone } = await alice.milestones.create({ project, title: 'Soon' })
  const triage = { labels: ['bug'], assignees: ['bob'] }
  const { iid: issue } = await alice.issues.create({
    project,
    title: 'Broken',
    description: 'Text',
    milestone,
    ...triage,
  })
  await alice.issues.update({ project, issue, title: 'Repaired', labels: [], stateEvent: 'close' })
  const branches = { sourceBranch: 'topic', targetBranch: 'main' }
  const review = { ...triage, reviewers: ['carol'] }
  const { iid: mergeRequest } = await alice.mergeRequests.create({ project, title: 'Add', ...branches, ...review })
  const { id: snippet } = await bob.snippets.create({ project, title: 'Tool', fileName: 'a.sh', content: 'echo' })
  for (const on of [{ issue }, { mergeRequest }, { snippet }]) {
    await bob.notes.create({ project, ...on, body: 'Hello' } as Parameters<typeof bob.notes.create>[0])
  }
  await bob.discussions.create({ project, commit: sha, body: 'Hello' })
  const pipeline = await bob.pipelines.create({ project, ref: 'topic' })
  await forge.ci.finish(pipeline)
  await alice.mergeRequests.update({ project, mergeRequest, description: 'More' })
  await alice.mergeRequests.merge({ project, mergeRequest })
  const { id: environment } = await alice.environments.create({ project, name: 'production' })
  await alice.deployments.create({ project, environment, ref: 'main', sha, status: 'success' })
}

/** A value as a type, so that literals keep their type and further fields are permitted. */
const toType = (value: unknown): string => {
  if (Array.isArray(value)) return `(${value.map(toType).join(' | ') || 'never'})[]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${toType(field)}`)
  return `{ ${fields.join('; ')} }`
}

// The package does not say which fields can be null, such as a milestone.
const compilerOptions = { strict: true, strictNullChecks: false, noEmit: true, skipLibCheck: true, types: [] }

const compile = async (source: string): Promise<string> => {
  const options = { ...compilerOptions, target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext' }
  await writeFile(join(folder, 'receiver.ts'), source)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['receiver.ts'] }))
  return promisify(execFile)(process.execPath, [join(modules, 'typescript-native/bin/tsc'), '--project', '.'], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

const head = `import type * as Events from 'gitlab-event-types'
interface MergeRequestEvent extends Omit<Events.MergeRequestEvent, 'changes' | 'object_attributes'> {
  object_attributes: Omit<Events.MergeRequestAttributes, 'merge_status'>
}
`

const toReceiver = (payloads: readonly { readonly object_kind: Kind }[]) =>
  payloads
    .map(
      (payload, at) =>
        `declare const payload${at}: ${toType(payload)}\nexport const event${at}: ${typeNames[payload.object_kind]} = payload${at}`,
    )
    .join('\n')

test('payloads of every kind have the published types', { timeout: 120_000 }, async () => {
  const flags = ['tag_push', 'issues', 'note', 'merge_requests', 'releases', 'deployment', 'pipeline', 'job']
  const json = Object.fromEntries(flags.map((name) => [`${name}_events`, true]))
  const url = 'https://bot.example.com/events'
  await client(forge)(`POST /projects/acme%2Fweb/hooks`, { as: 'alice', json: { url, ...json } })
  await causeEvents()
  await forge.hooks.drain()
  const payloads = forge.hooks.deliveries.map(({ body }) => body as { readonly object_kind: Kind })
  expect([...new Set(payloads.map((payload) => payload.object_kind))].sort()).toEqual(Object.keys(typeNames).sort())
  expect(await compile(head + toReceiver(payloads))).toBe('')
  const [{ object_kind }] = payloads as [{ object_kind: Kind }]
  expect(await compile(head + toReceiver([{ object_kind }]))).toContain('error TS2740')
})
