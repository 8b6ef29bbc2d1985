import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, Instant, instant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { may } from '../../policy.ts'
import { readKey, takenKey } from './adding.ts'
import type { DeployKey } from './key.ts'
import type { SshKey } from './ssh-key.ts'

const deployKeysOf = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('deployKeyProject')
    .innerJoin('sshKey', 'sshKey.id', 'deployKeyProject.deployKeyId')
    .where('deployKeyProject.projectId', '=', projectId)
    .select(['sshKey.id', 'sshKey.title', 'sshKey.key', 'sshKey.createdAt', 'sshKey.expiresAt'])
    .select('deployKeyProject.canPush')

const insert = async (ctx: Context, read: SshKey & { readonly title: string }, expiresAt: string | null) => {
  const { title, normalised: key, sha256, md5 } = read
  const creatorId = personId(ctx.actor) || null
  const [row] = await ctx.db
    .insertInto('sshKey')
    .values({ userId: null, creatorId, deploy: true, title, key, sha256, md5, createdAt: ctx.now, expiresAt })
    .returning('id')
    .execute()
  return (row as { id: number }).id
}

/** The stored deploy key of the same bytes, to administrators only: to others it is a key that somebody has. */
const knownDeployKey = async (ctx: Context, sha256: string): Promise<number | undefined> => {
  const known = await ctx.db
    .selectFrom('sshKey')
    .where('sha256', '=', sha256)
    .select(['id', 'deploy'])
    .executeTakeFirst()
  if (known && !(known.deploy && may<'instance'>(ctx.actor, { kind: 'instance' }, 'key.manage'))) throw takenKey()
  return known?.id
}

export const deployKeys = {
  /** Deploy keys of a project. */
  list: query({
    on: project,
    can: 'deployKey.manage',
    input: paging,
    run: (ctx, at, subject) =>
      paginate(deployKeysOf(ctx, subject.project.id).orderBy('deployKeyProject.id'), at, (row): DeployKey => row),
  }),

  /**
   * Opens a project to a key that belongs to no user. An administrator may give the deploy key of another project: it is
   * then one key of both, with the title that it has.
   */
  add: command({
    on: project,
    can: 'deployKey.manage',
    input: {
      key: v.string(),
      title: v.optional(v.string()),
      canPush: v.optional(v.boolean(), false),
      expiresAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { canPush, expiresAt, ...given }, subject): Promise<DeployKey> {
      const { id: projectId } = subject.project
      const read = await readKey(ctx, given)
      const known = await knownDeployKey(ctx, read.sha256)
      const id = known ?? (await insert(ctx, read, expiresAt && instant(expiresAt)))
      if (known !== undefined && (await deployKeysOf(ctx, projectId).where('sshKey.id', '=', id).executeTakeFirst())) {
        throw takenKey()
      }
      await ctx.db
        .insertInto('deployKeyProject')
        .values({ deployKeyId: id, projectId, canPush, createdAt: ctx.now, updatedAt: ctx.now })
        .execute()
      return deployKeysOf(ctx, projectId).where('sshKey.id', '=', id).executeTakeFirstOrThrow()
    },
  }),

  /** Closes a project to a deploy key; one that opens no project any more is forgotten. */
  remove: command({
    on: project,
    can: 'deployKey.manage',
    input: { deployKey: Id },
    async run(ctx, { deployKey }, subject) {
      const [row] = await ctx.db
        .deleteFrom('deployKeyProject')
        .where('projectId', '=', subject.project.id)
        .where('deployKeyId', '=', deployKey)
        .returning('id')
        .execute()
      if (!row) throw notFound()
      const other = await ctx.db
        .selectFrom('deployKeyProject')
        .where('deployKeyId', '=', deployKey)
        .select('id')
        .executeTakeFirst()
      if (!other) await ctx.db.deleteFrom('sshKey').where('id', '=', deployKey).execute()
    },
  }),
}
