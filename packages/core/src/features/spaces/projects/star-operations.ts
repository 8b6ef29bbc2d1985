import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { matchesSearch } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalidInput } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { readProjectDetails } from './read-details.ts'
import type { StarResult, Starrer } from './star.ts'

/** The current user, or the `user` that a host has to pass. */
const resolveStarringUserId = async (ctx: Context, user: number | string | undefined): Promise<number> => {
  if (ctx.actor.kind === 'user' && user === undefined) return ctx.actor.id
  if (ctx.actor.kind === 'user') throw forbidden('Only the host application can act for another user')
  if (user === undefined) throw invalidInput([{ fields: ['user'], message: 'is missing' }])
  return (await findUser(ctx, user)).id
}

const insertStar = async (ctx: Context, { id }: Project, userId: number): Promise<boolean> => {
  const inserted = await ctx.db
    .insertInto('projectStar')
    .values({ projectId: id, userId, createdAt: ctx.now } satisfies CompleteRow<'projectStar'>)
    .onConflict((oc) => oc.doNothing())
    .returning('projectId')
    .execute()
  return inserted.length > 0
}

const deleteStar = async (ctx: Context, { id }: Project, userId: number): Promise<boolean> => {
  const deleted = await ctx.db
    .deleteFrom('projectStar')
    .where('projectId', '=', id)
    .where('userId', '=', userId)
    .returning('projectId')
    .execute()
  return deleted.length > 0
}

const toResult = async (ctx: Context, project: Project, changed: boolean): Promise<StarResult> => ({
  changed,
  project: await readProjectDetails(ctx, project),
})

const starrerInput = {
  /** Id or username of the user whose star it is. The host application must name one; users act for themselves. */
  user: v.optional(IdOrName),
}

export const projectStars = {
  /** Stars a project. `changed` is false when it was starred already. */
  star: command({
    on: project,
    can: 'project.star',
    input: starrerInput,
    run: async (ctx, { user }, { project }) =>
      toResult(ctx, project, await insertStar(ctx, project, await resolveStarringUserId(ctx, user))),
  }),

  /** Removes a star. `changed` is false when there was none. */
  unstar: command({
    on: project,
    can: 'project.star',
    input: starrerInput,
    run: async (ctx, { user }, { project }) =>
      toResult(ctx, project, await deleteStar(ctx, project, await resolveStarringUserId(ctx, user))),
  }),

  /** Lists users who starred a project, ordered by the id of the user. */
  listStarrers: query({
    on: project,
    can: 'project.read',
    input: {
      ...pagingEntries,
      /**
       * Words of at least 3 characters and quoted phrases that the name or the username must contain: at most 1,024
       * characters and 64 words.
       */
      search: v.optional(v.string(), ''),
    },
    async run(ctx, { search, ...paging }, { project }) {
      const rows = ctx.db
        .selectFrom('projectStar')
        .innerJoin('user', 'user.id', 'projectStar.userId')
        .where('projectStar.projectId', '=', project.id)
        .orderBy('projectStar.userId')
        .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail'])
        .select('projectStar.createdAt as starredSince')
      const matches = matchesSearch(ctx.dialect, ['user.name', 'user.username'], parseSearchText(search))
      const summary = toUserSummary(await getSettings(ctx))
      return paginate(
        matches ? rows.where(matches) : rows,
        paging,
        (row): Starrer => ({ starredSince: row.starredSince, user: summary(row) }),
      )
    },
  }),
}
