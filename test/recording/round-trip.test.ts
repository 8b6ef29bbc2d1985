import { demoWithCode } from '@forgelet/core/seed'
import { importRecording, RecordingError } from '@forgelet/fixtures'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { fullSeed } from '../full-seed.ts'
import { propertyFactor, propertyRuns } from '../property-runs.ts'
import { world } from '../sqlite-world.ts'

/** Lists and objects that an administrator reads. */
const paths = [
  '/users',
  '/user',
  '/groups?all_available=true',
  '/groups/acme',
  '/groups/acme/members',
  '/groups/acme%2Ftools/members',
  '/projects',
  '/projects/acme%2Fweb',
  '/projects/acme%2Fweb/members',
  '/projects/acme%2Fweb/labels',
  '/projects/acme%2Fweb/milestones',
  '/projects/acme%2Fweb/issues',
  '/projects/acme%2Fweb/issues/1/notes',
  '/projects/acme%2Fweb/issues/1/award_emoji',
  '/projects/acme%2Fweb/merge_requests',
  '/projects/acme%2Fweb/merge_requests/1/notes',
  '/projects/acme%2Fweb/releases',
  '/projects/acme%2Fweb/repository/branches',
  '/projects/acme%2Fweb/repository/tags',
  '/projects/acme%2Fweb/repository/tree?recursive=true',
  ...['README.md', 'docs%2Fbuild.md', 'index.html', 'styles%2Fsite.css'].map(
    (file) => `/projects/acme%2Fweb/repository/files/${file}?ref=main`,
  ),
]

/** Ids, times of changes and commits are those of the new forge. */
const otherFields = new Set([
  ...['id', 'project_id', 'group_id', 'namespace_id', 'parent_id', 'creator_id', 'author_id', 'noteable_id', 'user_id'],
  ...['source_project_id', 'target_project_id', 'awardable_id', 'milestone_id', 'updated_at', 'last_activity_at'],
  ...['_links', 'web_url', 'avatar_url', 'commit', 'commit_id', 'commit_path', 'sha', 'short_id', 'last_activity_on'],
  ...[
    'commit_email',
    'identities',
    'last_commit_id',
    'target',
    'forks_count',
    'star_count',
    'statistics',
    'container_expiration_policy',
    'runners_token',
    'assets',
  ],
  ...['repository_size', 'storage_size', 'merge_status', 'detailed_merge_status', 'has_conflicts', 'custom_attributes'],
  ...['diff_refs', 'override', 'group_saml_identity', 'shared_projects', 'attachment', 'is_admin', 'released_at'],
])

/** A seed has no times for these. */
const hasOwnTimes = (path: string) => !/members|milestones|award_emoji|tags/.test(path)

const comparable = (value: unknown, path: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => comparable(item, path))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !otherFields.has(name) && (name !== 'created_at' || hasOwnTimes(path)))
      .map(([name, inner]) => [name, comparable(inner, name === 'milestone' ? '/milestones' : path)]),
  )
}

const record = async (seed: typeof demoWithCode) => {
  await using forge = await world({ seed })
  const send = client(forge)
  const entries = []
  for (const path of paths) {
    const { status, text } = await send(`GET ${path}`, { as: 'root' })
    const url = `https://gitlab.example.com/api/v4${path}`
    entries.push({ request: { method: 'GET', url }, response: { status, content: { text } } })
  }
  return { log: { version: '1.2', entries } }
}

test.each([
  ['the demo data', demoWithCode],
  ['the seed with every kind of object', fullSeed],
])('the responses for %s are those of the forge that was recorded', async (_, original) => {
  const recording = await record(original)
  const { seed, skipped } = importRecording(recording, { tokens: true })
  const missing = recording.log.entries.filter(({ response }) => response.status !== 200)
  expect(skipped.map(({ reason }) => reason)).toEqual(missing.map(({ response }) => `the status is ${response.status}`))
  await using forge = await world({ seed })
  const send = client(forge)
  for (const [index, path] of paths.entries()) {
    const { status, text } = await send(`GET ${path}`, { as: 'root' })
    const { response } = recording.log.entries[index] as (typeof recording.log.entries)[number]
    if (response.status !== 200) continue
    expect.soft({ path, status, body: comparable(JSON.parse(text), path) }).toEqual({
      path,
      status: 200,
      body: comparable(JSON.parse(response.content.text), path),
    })
  }
})

const hostileValues = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    '<b>',
    'a,b',
    '2026-02-30',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    { username: 'x' },
    { username: '__proto__' },
    'constructor',
    '__proto__',
    'acme',
    'alice',
    'HEAD',
  ],
]

interface Damage {
  readonly at: number
  readonly value: number
  readonly isRemoval: boolean
}

/** Replaces or removes values anywhere in a JSON value. */
const damage = (value: unknown, damages: readonly Damage[]): unknown => {
  const slots: { readonly holder: Record<string, unknown>; readonly name: string }[] = []
  const visit = (holder: Record<string, unknown>) => {
    for (const [name, inner] of Object.entries(holder)) {
      slots.push({ holder, name })
      if (inner !== null && typeof inner === 'object') visit(inner as Record<string, unknown>)
    }
  }
  visit(value as Record<string, unknown>)
  for (const { at, value: choice, isRemoval } of damages) {
    const slot = slots[at % slots.length] as (typeof slots)[number]
    if (isRemoval) delete slot.holder[slot.name]
    else slot.holder[slot.name] = hostileValues[choice % hostileValues.length]
  }
  return value
}

const anyDamage = fc.record({ at: fc.nat(), value: fc.nat(), isRemoval: fc.boolean() })

test('a damaged recording is rejected with a message, or its seed can be added', {
  timeout: 60_000 * propertyFactor,
}, async () => {
  const { log } = await record(fullSeed)
  const exchanges = log.entries.map(({ request, response }) => ({
    ...request,
    status: response.status,
    body: JSON.parse(response.content.text),
  }))
  const text = JSON.stringify(exchanges)
  let seeded = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 60 }), async (damages) => {
      let seed: ReturnType<typeof importRecording>['seed']
      try {
        seed = importRecording(damage(JSON.parse(text), damages) as object).seed
      } catch (error) {
        expect(error).toBeInstanceOf(RecordingError)
        return
      }
      await using forge = await world({ seed: {} })
      await forge.seed(seed)
      seeded++
    }),
    // An example takes about 0.4 s, so a search for a smaller one would exceed the time limit and hide the failure.
    { ...propertyRuns(8), endOnFailure: true },
  )
  expect(seeded).toBeGreaterThan(0)
})
