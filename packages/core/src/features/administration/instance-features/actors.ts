import { findGroup, findNamespace } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'

/** Names of actors by their kinds: usernames, and full paths of groups, namespaces, projects and repositories. */
export interface ActorNames {
  readonly user: readonly string[]
  readonly group: readonly string[]
  readonly namespace: readonly string[]
  readonly project: readonly string[]
  readonly repository: readonly string[]
}

type Find = (ctx: Context, name: string) => Promise<{ readonly id: number } | undefined>

const findUser: Find = ({ db }, username) =>
  db.selectFrom('user').where(lower('username'), '=', username.toLowerCase()).select('id').executeTakeFirst()

/** The label in the name of an actor, and the function that finds it. */
const kinds: Readonly<Record<keyof ActorNames, readonly [label: string, find: Find]>> = {
  user: ['User', findUser],
  group: ['Group', async (ctx, path) => findGroup(ctx, path)],
  namespace: ['Namespace', async (ctx, path) => findNamespace(ctx, path)],
  project: ['Project', async (ctx, path) => findProject(ctx, path)],
  repository: ['Repository', async (ctx, path) => findProject(ctx, path.replace(/\.git$/, ''))],
}

/**
 * The actors as they are stored: `User:1`.
 *
 * @throws PlatformError `invalid` for an unknown name
 */
export async function resolveActors(ctx: Context, names: ActorNames): Promise<readonly string[]> {
  const actors: string[] = []
  for (const [kind, [label, find]] of Object.entries(kinds)) {
    for (const name of names[kind as keyof ActorNames]) {
      const actor = await find(ctx, name)
      if (!actor) throw invalid(`${name.slice(0, 100)} is not found!`)
      actors.push(`${label}:${actor.id}`)
    }
  }
  return [...new Set(actors)]
}
