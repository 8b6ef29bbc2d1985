import * as v from 'valibot'
import { project, projectOrInstance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { assertAbility, hasAbility } from '../../../policy/authorize.ts'
import type { DeployKey } from '../../accounts/keys/key.ts'
import { keyTakenError, parseKeyInput } from '../../accounts/keys/key-input.ts'
import type { SshKey } from '../../accounts/keys/ssh-key.ts'

const keyColumns = ['sshKey.id', 'sshKey.title', 'sshKey.key', 'sshKey.createdAt', 'sshKey.expiresAt'] as const

const selectDeployKeys = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('deployKeyProject')
    .innerJoin('sshKey', 'sshKey.id', 'deployKeyProject.deployKeyId')
    .where('deployKeyProject.projectId', '=', projectId)
    .select(keyColumns)
    .select('deployKeyProject.canPush')

const insertDeployKey = async (ctx: Context, sshKey: SshKey & { readonly title: string }, expiresAt: string | null) => {
  const { title, normalised: key, sha256, md5 } = sshKey
  const creatorId = getUserId(ctx.actor) || null
  const row = await ctx.db
    .insertInto('sshKey')
    .values({
      userId: null,
      creatorId,
      deploy: true,
      title,
      key,
      sha256,
      md5,
      createdAt: ctx.now,
      expiresAt,
    } satisfies CompleteRow<'sshKey'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Finds the stored deploy key with these bytes. Only administrators may reuse it; for others the key is taken. */
const findDeployKeyId = async (ctx: Context, sha256: string): Promise<number | undefined> => {
  const row = await ctx.db.selectFrom('sshKey').where('sha256', '=', sha256).select(['id', 'deploy']).executeTakeFirst()
  if (row && !(row.deploy && hasAbility<'instance'>(ctx.actor, { kind: 'instance' }, 'key.manage')))
    throw keyTakenError()
  return row?.id
}

/** Only administrators may rename a key that another project also uses. */
const renameDeployKey = async (ctx: Context, projectId: number, deployKey: number, title: string) => {
  const other = await ctx.db
    .selectFrom('deployKeyProject')
    .where('deployKeyId', '=', deployKey)
    .where('projectId', '!=', projectId)
    .select('id')
    .executeTakeFirst()
  if (other) assertAbility<'instance'>(ctx.actor, { kind: 'instance' }, 'key.manage')
  const { numUpdatedRows } = await ctx.db
    .updateTable('sshKey')
    .set({ title })
    .where('id', '=', deployKey)
    .where('title', '!=', title)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const shared = ctx.db.updateTable('deployKeyProject').where('deployKeyId', '=', deployKey)
  await shared.set({ updatedAt: ctx.now }).execute()
}

const deployKeyInput = {
  /** Id of a deploy key of the project. */
  deployKey: Id,
}

const getDeployKey = async (ctx: Context, projectId: number, deployKey: number): Promise<DeployKey> => {
  const row = await selectDeployKeys(ctx, projectId).where('sshKey.id', '=', deployKey).executeTakeFirst()
  if (!row) throw notFound('Deploy Key')
  return row
}

export const deployKeys = {
  /** Gets a deploy key of a project. */
  get: query({
    on: project,
    can: 'deployKey.manage',
    input: deployKeyInput,
    run: (ctx, { deployKey }, { project }) => getDeployKey(ctx, project.id, deployKey),
  }),

  /** Changes the title of a deploy key, in all projects that share it, or its access to this project. */
  update: command({
    on: project,
    can: 'deployKey.manage',
    serializes: 'instance',
    input: {
      ...deployKeyInput,
      /** Name for people: not blank, at most 255 characters. For a key of several projects, administrators only. */
      title: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(255))),
      /** Whether the key can push to the repository of the project. */
      canPush: v.optional(v.boolean()),
    },
    rules: [atLeastOne('title', 'canPush')],
    async run(ctx, { deployKey, title, canPush }, { project }) {
      await getDeployKey(ctx, project.id, deployKey)
      if (title !== undefined) await renameDeployKey(ctx, project.id, deployKey, title)
      if (canPush !== undefined) {
        await ctx.db
          .updateTable('deployKeyProject')
          .set({ canPush, updatedAt: ctx.now })
          .where('deployKeyId', '=', deployKey)
          .where('projectId', '=', project.id)
          .where('canPush', '!=', canPush)
          .execute()
      }
      return getDeployKey(ctx, project.id, deployKey)
    },
  }),

  /** Lists the deploy keys of a project, in the order in which they were added, or, without one, of the instance, by id. */
  list: query({
    on: projectOrInstance,
    can: 'deployKey.manage',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      subject.kind === 'project'
        ? paginate(
            selectDeployKeys(ctx, subject.project.id).orderBy('deployKeyProject.id'),
            paging,
            (row): DeployKey => row,
          )
        : paginate(
            ctx.db.selectFrom('sshKey').where('deploy', '=', true).orderBy('id').select(keyColumns),
            paging,
            (row): DeployKey => ({ ...row, canPush: null }),
          ),
  }),

  /**
   * Creates a deploy key, which belongs to no user, with access to a project. Administrators can name the key of another project;
   * both then share it.
   *
   * @throws PlatformError `invalid` for an invalid key or title, a key that the settings do not allow, or one that is
   * already stored
   */
  create: command({
    on: project,
    can: 'deployKey.manage',
    input: {
      /**
       * One public key in OpenSSH format, `<type> <base64> [comment]`: RSA, DSA, ECDSA or Ed25519, at most 10,000
       * characters, allowed by the settings.
       */
      key: CheckedText,
      /**
       * Name for people: not blank, at most 255 characters. Default: the comment of the key. Ignored for a key that is
       * already stored.
       */
      title: v.optional(v.string()),
      /** Whether the key can push to the repository of the project; otherwise it can only read. Default: false. */
      canPush: v.optional(v.boolean(), false),
      /**
       * Time after which the host should reject the key; ISO 8601, UTC without an offset. Null (default) if it does not
       * expire. Ignored for a key that is already stored.
       */
      expiresAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { canPush, expiresAt, ...input }, subject): Promise<DeployKey> {
      const { id: projectId } = subject.project
      const sshKey = await parseKeyInput(ctx, input)
      const existingId = await findDeployKeyId(ctx, sshKey.sha256)
      const id = existingId ?? (await insertDeployKey(ctx, sshKey, expiresAt && normalizeInstant(expiresAt)))
      if (
        existingId !== undefined &&
        (await selectDeployKeys(ctx, projectId).where('sshKey.id', '=', id).executeTakeFirst())
      ) {
        throw keyTakenError()
      }
      await ctx.db
        .insertInto('deployKeyProject')
        .values({
          deployKeyId: id,
          projectId,
          canPush,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'deployKeyProject'>)
        .execute()
      return selectDeployKeys(ctx, projectId).where('sshKey.id', '=', id).executeTakeFirstOrThrow()
    },
  }),

  /** Revokes the access of a deploy key to a project. A key without projects is removed. */
  remove: command({
    on: project,
    can: 'deployKey.manage',
    input: deployKeyInput,
    async run(ctx, { deployKey }, subject) {
      const [row] = await ctx.db
        .deleteFrom('deployKeyProject')
        .where('projectId', '=', subject.project.id)
        .where('deployKeyId', '=', deployKey)
        .returning('updatedAt')
        .execute()
      if (!row) throw notFound()
      assertUnmodified(ctx, row.updatedAt)
      const other = await ctx.db
        .selectFrom('deployKeyProject')
        .where('deployKeyId', '=', deployKey)
        .select('id')
        .executeTakeFirst()
      if (!other) await ctx.db.deleteFrom('sshKey').where('id', '=', deployKey).execute()
    },
  }),
}
