import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createPlatform, type Store, sqlite } from '@forgelet/core'
import { type Seed, seed } from '@forgelet/core/seed'

/** The size of the benchmark data. Groups are nested three levels deep; every project is in a group of the third level. */
const size = { users: 100, projects: 1_000, groupsAtTop: 10, measured: 20, labels: 200 } as const

/** A personal access token of the seed; its user is a developer through a group two levels up. */
export const token = 'bench-token-of-user-7'

/** The number of labels that a measured project inherits: one from each of its three ancestor groups. */
const inherited = 3

const colors = ['#428BCA', '#D9534F', '#5CB85C', '#F0AD4E', '#FFFFFF', '#34495E']

const label = (name: string, at: number) => ({
  name,
  color: colors[at % colors.length] as string,
  ...(at % 2 === 0 && { description: `What ${name} is about, in a few words` }),
  ...(at % 10 === 0 && { priority: at }),
  ...(at % 7 === 0 && { subscribers: ['user7'] }),
})

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

const deepest = (project: number) => {
  const top = project % size.groupsAtTop
  return `top${top}/middle${top}/deep${top}`
}

const world = (): Seed => ({
  users: numbers(size.users).map((at) => ({
    username: `user${at}`,
    name: `User ${at}`,
    email: `user${at}@example.com`,
    tokens: [{ name: 'bench', secret: `bench-token-of-user-${at}` }],
  })),
  groups: [
    {
      path: 'guests',
      visibility: 'private',
      members: [{ user: 'user7', access: 'reporter' }],
    },
    ...numbers(size.groupsAtTop).flatMap((top) => [
      {
        path: `top${top}`,
        visibility: 'private' as const,
        members: [
          { user: 'user7', access: 'developer' as const },
          { user: `user${20 + top}`, access: 'owner' as const },
        ],
        labels: [{ name: `from top ${top}` }],
      },
      { path: `top${top}/middle${top}`, visibility: 'private' as const, labels: [{ name: `from middle ${top}` }] },
      {
        path: `top${top}/middle${top}/deep${top}`,
        visibility: 'private' as const,
        labels: [{ name: `from deep ${top}` }],
        shares: [{ group: 'guests', access: 'guest' as const }],
      },
    ]),
  ],
  projects: numbers(size.projects).map((project) => ({
    path: `${deepest(project)}/project${project}`,
    visibility: 'private',
    members: [{ user: `user${40 + (project % 50)}`, access: 'maintainer' }],
    ...(project % 100 === 0 && { shares: [{ group: 'guests', access: 'reporter' as const }] }),
    ...(project < size.measured && {
      labels: numbers(size.labels - inherited).map((at) => label(`label ${String(at).padStart(3, '0')}`, at)),
    }),
  })),
})

/** The project ids that the load client uses. */
export interface World {
  /** Projects with 200 labels each. */
  readonly listed: readonly number[]
  /** Projects without labels of their own, for new labels. */
  readonly written: readonly number[]
}

/** Recreates the data file with the platform's migrations and seed. */
export async function createDataFile(path: string): Promise<World> {
  for (const name of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(name)) rmSync(name)
  mkdirSync(new URL('.', `file://${path}`).pathname, { recursive: true })
  return seedStore(sqlite(path, { durability: 'process' }))
}

/** Migrates and seeds an empty database. */
export async function seedStore(store: Store): Promise<World> {
  const platform = createPlatform(store)
  const { projects = {} } = await seed(platform, world())
  await platform.close()
  const ids = Object.values(projects).map(({ id }) => id)
  return { listed: ids.slice(0, size.measured), written: ids.slice(size.measured) }
}
