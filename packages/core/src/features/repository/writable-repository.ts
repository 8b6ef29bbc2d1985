import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import type { Ports } from '../../ports/ports.ts'
import { placeOf } from './queries.ts'

/** What work on a repository needs of the platform. */
export interface Workshop {
  readonly ports: Ports
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** Files come before the row that names them, and go again when the row cannot be written. */
const settle = async (
  { ports: { git, repositories }, write }: Workshop,
  make: (directory: string) => Promise<Repository>,
  state: (ctx: Context, place: string) => Promise<void>,
): Promise<Repository> => {
  const place = repositories.newPlace()
  const repository = await make(repositories.directoryOf(place))
  try {
    await write((ctx) => state(ctx, place))
    return repository
  } catch (error) {
    await git.remove(repository.directory).catch(() => undefined)
    throw error
  }
}

const refuseSecond = async (ctx: Context, projectId: number) => {
  if ((await placeOf(ctx, projectId)) !== undefined) throw conflict('The project has a repository already')
}

/** States where the repository of a project lies. `conflict` when the project has one, or another project has this one. */
export async function attach(ctx: Context, projectId: number, place: string): Promise<void> {
  await refuseSecond(ctx, projectId)
  const taken = await ctx.db
    .selectFrom('projectRepository')
    .where('place', '=', place)
    .select('projectId')
    .executeTakeFirst()
  if (taken !== undefined) throw conflict('The repository belongs to another project')
  await ctx.db.insertInto('projectRepository').values({ projectId, place, createdAt: ctx.now }).execute()
}

/** A new repository for a project, made by `make` in the directory that it is given. */
export const newRepository = (
  workshop: Workshop,
  projectId: number,
  make: (directory: string) => Promise<Repository>,
): Promise<Repository> => settle(workshop, make, (ctx, place) => attach(ctx, projectId, place))

/** The repository of a project, if it has one, to be changed: a copy of its own where others look into the same one. */
export async function existingForWriting(workshop: Workshop, projectId: number): Promise<Repository | undefined> {
  const { ports, write } = workshop
  const { git, repositories } = ports
  const place = await write((ctx) => placeOf(ctx, projectId))
  if (place === undefined) return undefined
  const directory = repositories.directoryOf(place)
  if (repositories.isOwn(place)) return git.open(directory)
  return settle(
    workshop,
    (copy) => git.clone(directory, copy),
    async (ctx, mine) => {
      await ctx.db.updateTable('projectRepository').set({ place: mine }).where('projectId', '=', projectId).execute()
    },
  )
}

/** The repository of a project, to be changed; an empty one is made where there is none. */
export const repositoryForWriting = async (
  workshop: Workshop,
  { id, defaultBranch }: { readonly id: number; readonly defaultBranch: string },
): Promise<Repository> =>
  (await existingForWriting(workshop, id)) ??
  newRepository(workshop, id, (directory) => workshop.ports.git.create(directory, { defaultBranch }))
