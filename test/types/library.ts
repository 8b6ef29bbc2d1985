/** The types that embedding programs use. Compiled with the workspace and against the packed packages; never run. */
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
import {
  features,
  type Issue,
  type Label,
  type Member,
  type ProjectDetails,
  type User,
  type UserDetail,
} from '@forgelet/core/operations'
import { demo, type Seed, type SeedResult, seed } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { fetchHandler, handler, type RunningServer, type serve } from '@forgelet/http'

/** True if both types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const holds = <_A extends true, _B extends true = true>(): void => undefined

declare const platform: Platform
declare const session: Session

type Result<F extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>

export const results = () => {
  holds<Result<Session['labels']['create']> extends Label ? true : false>()
  holds<Same<Result<Session['labels']['list']>, Page<Label>>>()
  holds<Result<Session['issues']['get']> extends Issue ? true : false>()
  holds<Same<Result<Session['users']['create']>, UserDetail>>()
  holds<Same<Result<Session['identities']['find']>, User>>()
  holds<Same<Result<Session['projects']['get']>, ProjectDetails>>()
  holds<Same<Result<Session['members']['get']>, Member>>()
  holds<Same<Page<Label>['total'], number | undefined>>()
  // Results are not `any`.
  // @ts-expect-error: a label has no such property
  void session.labels.create({ project: 1, name: 'bug', color: 'red' }).then((label) => label.nothing)
}

export const inputs = () => {
  void session.labels.create({ project: 'acme/web', name: 'bug', color: 'red' })
  void session.labels.create({ project: 7, name: 'bug', color: 'red', description: 'It breaks', priority: null })
  void session.labels.create({ group: 'acme', name: 'bug', color: 'red' })
  // @ts-expect-error: the name is required
  void session.labels.create({ project: 'acme/web', color: 'red' })
  // @ts-expect-error: a project or group is required
  void session.labels.create({ name: 'bug', color: 'red' })
  // @ts-expect-error: a project or a group, not both
  void session.labels.create({ project: 1, group: 2, name: 'bug', color: 'red' })
  // @ts-expect-error: a name is a string
  void session.labels.create({ project: 1, name: 7, color: 'red' })
  // @ts-expect-error: unknown field
  void session.labels.create({ project: 1, name: 'bug', color: 'red', colour: 'blue' })
  // @ts-expect-error: unknown visibility
  void session.projects.create({ path: 'web', name: 'Web', visibility: 'secret' })
  // The input is optional if all its fields are optional.
  void session.users.list()
  void session.users.list({ perPage: 100 })
  void session.users.get()
  // @ts-expect-error: the user is required
  void session.users.block()
}

export const sessions = () => {
  holds<Same<ReturnType<Platform['as']>, Session>>()
  holds<Same<keyof typeof features, Exclude<keyof Session, 'run'>>>()
  holds<Platform extends Session ? true : false>()
  const identities: readonly Identity[] = [
    null,
    { user: 1 },
    { user: 'ada' },
    { provider: 'my-app', externalUid: 'u-1' },
    { token: 't' },
    { token: 't', sudo: 'bob' },
    { scim: 't' },
    { system: 'import' },
  ]
  for (const identity of identities) platform.as(identity)
  // @ts-expect-error: a provider requires a UID
  platform.as({ provider: 'my-app' })
  // @ts-expect-error: an identity is an object
  platform.as('ada')
  // @ts-expect-error: a session cannot create sessions
  session.as({ user: 1 })
}

export const signals = () => {
  const unsubscribe = platform.on('label.created', (signal) => {
    holds<Same<typeof signal.label, Label>, Same<typeof signal.projectId, number | null>>()
  })
  holds<Same<typeof unsubscribe, () => void>>()
  platform.on('issue.updated', async ({ before, after }) => {
    holds<Same<typeof before, Issue>, Same<typeof after, Issue>>()
  })
  // @ts-expect-error: unknown signal
  platform.on('label.unknown', () => undefined)
  // @ts-expect-error: this signal has no issue
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
    // @ts-expect-error: unknown code
    case 'gone':
      return
  }
  holds<Same<Extract<typeof error.code, 'not_found' | 'limited' | 'unavailable'>, never>>()
  new PlatformError('conflict', 'It already exists')
  // @ts-expect-error: unknown code
  new PlatformError('oops', 'It already exists')
}

export const stores = () => {
  holds<Same<ReturnType<typeof sqlite>, SqliteStore>, Same<ReturnType<typeof postgres>, Store>>()
  createPlatform(sqlite(':memory:'))
  createPlatform(sqlite('forge.db', { prefix: 'forge_', durability: 'process' }), {
    identity: { user: 1 },
    tier: 'free',
  })
  createPlatform(postgres('postgres://localhost/forge', { schema: 'forge', connections: 20, lockTimeout: 1_000 }))
  // @ts-expect-error: a path is not a store
  createPlatform('forge.db')
  // @ts-expect-error: SQLite has prefixes, PostgreSQL schemas
  sqlite('forge.db', { schema: 'forge' })
  // @ts-expect-error: there are two tiers
  createPlatform(sqlite(':memory:'), { tier: 'gold' })
}

export const transactions = async () => {
  const result = await platform.atomic(async (transaction, at, sql) => {
    holds<Same<typeof transaction, Platform>, Same<ReturnType<typeof at>, Platform>>()
    const rows = await sql('select team from workspace where id = ?', [1])
    holds<Same<(typeof rows)[number][string], unknown>>()
    return transaction.labels.get({ project: 1, label: 2 })
  })
  holds<Same<typeof result, Label>>()
}

export const adapters = async () => {
  const label = await session.run(features.labels.get, { project: 1, label: 'bug' })
  holds<Same<typeof label, Label>>()
  // @ts-expect-error: unknown input field
  await session.run(features.labels.get, { nothing: 1 })
  holds<Same<ReturnType<typeof serve>, Promise<RunningServer>>>()
  const handle: (request: Request) => Promise<Response> = fetchHandler(platform, {
    identify: (header) => ({ provider: 'my-app', externalUid: header('x-user') ?? '' }),
  })
  handler(platform, { baseUrl: 'https://forge.example' })
  return handle
}

export const worlds = async () => {
  const data: Seed = { users: [{ username: 'ada' }], groups: [{ path: 'acme', visibility: 'public' }] }
  holds<Same<ReturnType<typeof seed>, Promise<SeedResult>>>()
  await seed(platform, data)
  await seed(platform, demo)
  // @ts-expect-error: the username is required
  await seed(platform, { users: [{}] })
  await using forge = await fakeForge({ seed: data })
  holds<Same<typeof forge, FakeForge>>()
  forge.fault({ on: 'POST /projects/:id/labels', status: 503, times: 2 })
  // @ts-expect-error: a status is a number
  forge.fault({ status: '503' })
  return forge.tokens.ada satisfies string | undefined
}
