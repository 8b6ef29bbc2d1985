import type { SelectQueryBuilder } from 'kysely'
import { instance } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { query } from '../../../kernel/operation.ts'

/** Numbers of objects of the instance. */
export interface InstanceStatistics {
  /** Projects that are forks of others. */
  forks: number
  /** Issues of all projects. */
  issues: number
  /** Merge requests of all projects. */
  mergeRequests: number
  /** Comments and system notes. */
  notes: number
  /** Snippets of users and projects. */
  snippets: number
  /** SSH keys of users, without deploy keys. */
  sshKeys: number
  /** Milestones of projects and groups. */
  milestones: number
  /** Users in any state. */
  users: number
  /** Projects, also archived ones. */
  projects: number
  /** Groups and subgroups. */
  groups: number
  /** Users who can sign in. */
  activeUsers: number
}

type CountedTable = 'issue' | 'mergeRequest' | 'note' | 'snippet' | 'milestone' | 'user' | 'project'

const countAll = async (
  rows: SelectQueryBuilder<Database, CountedTable | 'sshKey' | 'namespace', object>,
): Promise<number> =>
  Number((await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)

const countRows = ({ db }: Context, table: CountedTable) => countAll(db.selectFrom(table as 'issue') as never)

export const instanceStatistics = {
  /** Counts the objects of the instance. */
  getStatistics: query({
    on: instance,
    can: 'statistics.read',
    async run(ctx): Promise<InstanceStatistics> {
      const { db } = ctx
      const [forks, issues, mergeRequests, notes, snippets, sshKeys, milestones, users, projects, groups, activeUsers] =
        await awaitAll([
          countAll(db.selectFrom('project').where('forkedFromId', 'is not', null) as never),
          countRows(ctx, 'issue'),
          countRows(ctx, 'mergeRequest'),
          countRows(ctx, 'note'),
          countRows(ctx, 'snippet'),
          countAll(db.selectFrom('sshKey').where('userId', 'is not', null) as never),
          countRows(ctx, 'milestone'),
          countRows(ctx, 'user'),
          countRows(ctx, 'project'),
          countAll(db.selectFrom('namespace').where('kind', '=', 'group') as never),
          countAll(db.selectFrom('user').where('state', '=', 'active') as never),
        ])
      return {
        forks,
        issues,
        mergeRequests,
        notes,
        snippets,
        sshKeys,
        milestones,
        users,
        projects,
        groups,
        activeUsers,
      }
    },
  }),
}
