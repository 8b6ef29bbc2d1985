/**
 * What a program that embeds the packages relies on, said in types. It is compiled with the workspace, and once more against
 * the packed packages; it never runs.
 */
import {
  createPlatform,
  type ErrorCode,
  type Identity,
  isPlatformError,
  type Page,
  type Platform,
  PlatformError,
  type Problem,
  postgres,
  type Session,
  type SqliteStore,
  type Store,
  sqlite,
} from '@forgelet/core'
import { features, type Issue, type Label, type Member, type Project, type User } from '@forgelet/core/operations'
import { demo, plant, type Seed, type SeedResult } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { fetchHandler, handler, type Serving, type serve } from '@forgelet/http'

/** The same type, neither wider nor narrower. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const holds = <_A extends true, _B extends true = true>(): void => undefined

declare const platform: Platform
declare const session: Session

type Result<F extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>

export const results = () => {
  holds<Result<Session['labels']['create']> extends Label ? true : false>()
  holds<Same<Result<Session['labels']['list']>, Page<Label>>>()
  holds<Same<Result<Session['issues']['get']>, Issue>>()
  holds<Same<Result<Session['users']['create']>, User>>()
  holds<Same<Result<Session['identities']['find']>, User>>()
  holds<Same<Result<Session['projects']['get']>, Project>>()
  holds<Same<Result<Session['members']['add']>, Member>>()
  holds<Same<Page<Label>['total'], number | undefined>>()
  // A result never is whatever one likes.
  // @ts-expect-error: a label has no such property
  void session.labels.create({ project: 1, name: 'bug', color: 'red' }).then((label) => label.nothing)
}

export const inputs = () => {
  void session.labels.create({ project: 'acme/web', name: 'bug', color: 'red' })
  void session.labels.create({ project: 7, name: 'bug', color: 'red', description: 'It breaks', priority: null })
  void session.labels.create({ group: 'acme', name: 'bug', color: 'red' })
  // @ts-expect-error: the name is required
  void session.labels.create({ project: 'acme/web', color: 'red' })
  // @ts-expect-error: a place is required
  void session.labels.create({ name: 'bug', color: 'red' })
  // @ts-expect-error: one place, not two
  void session.labels.create({ project: 1, group: 2, name: 'bug', color: 'red' })
  // @ts-expect-error: a name is a text
  void session.labels.create({ project: 1, name: 7, color: 'red' })
  // @ts-expect-error: there is no such field
  void session.labels.create({ project: 1, name: 'bug', color: 'red', colour: 'blue' })
  // @ts-expect-error: one of the three words
  void session.projects.create({ path: 'web', name: 'Web', visibility: 'secret' })
  // Nothing need be given where every field may be left out.
  void session.users.list()
  void session.users.list({ perPage: 100 })
  // @ts-expect-error: here something is required
  void session.users.get()
}

export const sessions = () => {
  holds<Same<ReturnType<Platform['as']>, Session>>()
  holds<Same<keyof typeof features, Exclude<keyof Session, 'run'>>>()
  holds<Platform extends Session ? true : false>()
  const known: readonly Identity[] = [
    null,
    { user: 1 },
    { user: 'ada' },
    { provider: 'my-app', externalUid: 'u-1' },
    { token: 't' },
    { token: 't', sudo: 'bob' },
    { scim: 't' },
    { system: 'import' },
  ]
  for (const who of known) platform.as(who)
  // @ts-expect-error: a provider without a UID is nobody
  platform.as({ provider: 'my-app' })
  // @ts-expect-error: an identity says who, not just a text
  platform.as('ada')
  // @ts-expect-error: a session of a request starts no others
  session.as({ user: 1 })
}

export const facts = () => {
  const end = platform.on('label.created', (fact) => {
    holds<Same<typeof fact.label, Label>, Same<typeof fact.projectId, number | null>>()
  })
  holds<Same<typeof end, () => void>>()
  platform.on('issue.updated', async ({ before, after }) => {
    holds<Same<typeof before, Issue>, Same<typeof after, Issue>>()
  })
  // @ts-expect-error: there is no such fact
  platform.on('label.eaten', () => undefined)
  // @ts-expect-error: this fact has no issue
  platform.on('label.created', ({ issue }) => issue)
}

export const errors = (error: unknown) => {
  if (!isPlatformError(error)) return
  holds<Same<typeof error, PlatformError>, Same<typeof error.code, ErrorCode>>()
  holds<Same<typeof error.problems, readonly Problem[]>>()
  switch (error.code) {
    case 'not_found':
      holds<Same<typeof error.code, 'not_found'>>()
      return
    case 'limited':
    case 'unavailable':
      holds<Same<typeof error.retryAfter, number | undefined>>()
      return
    // @ts-expect-error: no such code
    case 'gone':
      return
  }
  holds<Same<Extract<typeof error.code, 'not_found' | 'limited' | 'unavailable'>, never>>()
  new PlatformError('conflict', 'It is there already')
  // @ts-expect-error: codes are known words
  new PlatformError('oops', 'It is there already')
}

export const stores = () => {
  holds<Same<ReturnType<typeof sqlite>, SqliteStore>, Same<ReturnType<typeof postgres>, Store>>()
  createPlatform(sqlite(':memory:'))
  createPlatform(sqlite('forge.db', { prefix: 'forge_', durability: 'process' }), {
    identity: { user: 1 },
    tier: 'free',
  })
  createPlatform(postgres('postgres://localhost/forge', { schema: 'forge', connections: 20 }))
  // @ts-expect-error: a path is not a store
  createPlatform('forge.db')
  // @ts-expect-error: SQLite has prefixes, PostgreSQL schemas
  sqlite('forge.db', { schema: 'forge' })
  // @ts-expect-error: there are two tiers
  createPlatform(sqlite(':memory:'), { tier: 'gold' })
}

export const transactions = async () => {
  const made = await platform.atomic(async (open, at, sql) => {
    holds<Same<typeof open, Platform>, Same<ReturnType<typeof at>, Platform>>()
    const rows = await sql('select team from workspace where id = ?', [1])
    holds<Same<(typeof rows)[number][string], unknown>>()
    return open.labels.get({ project: 1, label: 2 })
  })
  holds<Same<typeof made, Label>>()
}

export const adapters = async () => {
  const label = await session.run(features.labels.get, { project: 1, label: 'bug' })
  holds<Same<typeof label, Label>>()
  // @ts-expect-error: the input of that operation
  await session.run(features.labels.get, { nothing: 1 })
  holds<Same<ReturnType<typeof serve>, Promise<Serving>>>()
  const answer: (request: Request) => Promise<Response> = fetchHandler(platform, {
    identify: (header) => ({ provider: 'my-app', externalUid: header('x-user') ?? '' }),
  })
  handler(platform, { baseUrl: 'https://forge.example' })
  return answer
}

export const worlds = async () => {
  const seed: Seed = { users: [{ username: 'ada' }], groups: [{ path: 'acme', visibility: 'public' }] }
  holds<Same<ReturnType<typeof plant>, Promise<SeedResult>>>()
  await plant(platform, seed)
  await plant(platform, demo)
  // @ts-expect-error: a user has a name
  await plant(platform, { users: [{}] })
  await using forge = await fakeForge({ seed })
  holds<Same<typeof forge, FakeForge>>()
  forge.fault({ on: 'POST /projects/:id/labels', status: 503, times: 2 })
  // @ts-expect-error: a status is a number
  forge.fault({ status: '503' })
  return forge.tokens.ada satisfies string | undefined
}
