import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Context } from '../kernel/context.ts'
import { Access } from './levels.ts'
import { type HeldProjects, projectsAt } from './predicates.ts'

/** A context whose conditions look at what the actor holds once a query, however often they ask for it. */
export type Holding<C> = C & {
  readonly held: HeldProjects
  /** Where the query has to begin, and it alone: what is read besides begins at `db`. */
  readonly listing: Kysely<Database>
}

interface Listed extends Database {
  memberProject: { id: number }
  reporterProject: { id: number }
}

/** For lists over many projects: the query begins with the projects that the actor holds, and every condition looks there. */
export const holdingMany = <C extends Pick<Context, 'db' | 'actor' | 'now'>>(ctx: C): Holding<C> => {
  const { db } = ctx
  const listing = db
    .with('memberProject', () => projectsAt(ctx, Access.guest))
    .with('reporterProject', () => projectsAt(ctx, Access.reporter)) as unknown as Kysely<Database>
  const inner = db as unknown as Kysely<Listed>
  const held = (level: number) => {
    if (level === Access.guest) return inner.selectFrom('memberProject').select('id')
    return level === Access.reporter ? inner.selectFrom('reporterProject').select('id') : projectsAt(ctx, level)
  }
  return { ...ctx, listing, held: held as unknown as HeldProjects }
}

/** For lists of one project, on which the actor's level is known. */
export const holdingOne = <C extends Pick<Context, 'db' | 'actor' | 'now'>>(
  ctx: C,
  { project, access }: { readonly project: { readonly id: number }; readonly access: number },
): Holding<C> => {
  const held = (level: number) =>
    ctx.db
      .selectFrom('project as known')
      .where('known.id', '=', access >= level ? project.id : 0)
      .select('known.id as id')
  return { ...ctx, listing: ctx.db, held: held as unknown as HeldProjects }
}
