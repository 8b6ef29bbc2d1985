import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { containsText } from '../../../db/functions.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { InternalId } from '../../../kernel/inputs.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { areUserIds, userIdsProblem } from '../feature-flags/user-ids.ts'
import type { FeatureFlagUserList } from './user-list.ts'

const listReference = {
  /** Number of the list in its project. */
  userList: InternalId,
}

const Name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const UserXids = v.pipe(v.string(), v.maxLength(1_000_000), v.check(areUserIds, userIdsProblem))

const selectLists = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('featureFlagUserList')
    .where('projectId', '=', projectId)
    .select(['id', 'iid', 'projectId', 'name', 'userXids', 'createdAt', 'updatedAt'])

const getList = async (ctx: Context, projectId: number, iid: number): Promise<FeatureFlagUserList> => {
  const row = await selectLists(ctx, projectId).where('iid', '=', iid).executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

const assertNewName = async (ctx: Context, projectId: number, name: string, ownId = 0): Promise<void> => {
  const named = selectLists(ctx, projectId).where('name', '=', name).where('id', '!=', ownId)
  if (await named.executeTakeFirst()) throw invalid({ name: ['has already been taken'] })
}

/** Lists of users for the strategies of feature flags. */
export const featureFlagUserLists = {
  /** Lists the user lists of a project, by number. */
  list: query({
    on: project,
    can: 'featureFlag.read',
    input: {
      ...pagingEntries,
      /** Only lists whose name contains this text, ignoring case; at most 255 characters. */
      search: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
    },
    run(ctx, { search, ...paging }, { project }) {
      const all = selectLists(ctx, project.id).orderBy('iid')
      const rows = search === '' ? all : all.where(containsText(ctx.dialect, 'name', search))
      return paginate(rows, paging, (row): FeatureFlagUserList => row)
    },
  }),

  /** Gets a user list by its number. */
  get: query({
    on: project,
    can: 'featureFlag.read',
    input: listReference,
    run: (ctx, { userList }, { project }) => getList(ctx, project.id, userList),
  }),

  /** Creates a user list. */
  create: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: {
      /** Unique in the project: 1 to 255 characters. */
      name: Name,
      /** Ids of users of the application, each at most 256 characters, separated by commas. */
      userXids: UserXids,
    },
    async run(ctx, { name, userXids }, { project: { id: projectId } }): Promise<FeatureFlagUserList> {
      await assertNewName(ctx, projectId, name)
      const iid = await nextInternalId(ctx, 'featureFlagUserList', projectId)
      const values = { projectId, iid, name, userXids, createdAt: ctx.now, updatedAt: ctx.now }
      const { id } = await ctx.db
        .insertInto('featureFlagUserList')
        .values(values satisfies CompleteRow<'featureFlagUserList'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, ...values }
    },
  }),

  /** Changes a user list; omitted fields keep their values. */
  update: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: {
      ...listReference,
      /** New name, as in `create`. */
      name: v.optional(Name),
      /** New ids of users, as in `create`. */
      userXids: v.optional(UserXids),
    },
    async run(ctx, { userList, ...change }, { project }) {
      const { id } = await getList(ctx, project.id, userList)
      if (change.name !== undefined) await assertNewName(ctx, project.id, change.name, id)
      await updateChanged(ctx, 'featureFlagUserList', id, change)
      return getList(ctx, project.id, userList)
    },
  }),

  /**
   * Removes a user list.
   *
   * @throws PlatformError `conflict` if a strategy has it
   */
  remove: command({
    on: project,
    can: 'featureFlag.manage',
    serializes: 'project',
    input: listReference,
    async run(ctx, { userList }, { project }) {
      const { id } = await getList(ctx, project.id, userList)
      const uses = ctx.db.selectFrom('featureFlagStrategy').where('userListId', '=', id)
      if (await uses.select('id').executeTakeFirst()) throw conflict('User list is associated with a strategy')
      await assertRowUnmodified(ctx, 'featureFlagUserList', id)
      await ctx.db.deleteFrom('featureFlagUserList').where('id', '=', id).execute()
    },
  }),
}
