import * as v from 'valibot'
import { project, projectOrInstance, projectOrUser } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { keyTakenError, parseKeyInput } from '../../accounts/keys/key-input.ts'
import type { SshKey } from '../../accounts/keys/ssh-key.ts'
import type { DeployKey } from './deploy-key.ts'
import {
  getDeployKey,
  isReusable,
  selectAllDeployKeys,
  selectDeployKeys,
  selectDeployKeysOfUser,
  toDeployKey,
  withProjects,
} from './queries.ts'

const insertDeployKey = async (
  ctx: Context,
  sshKey: SshKey & { readonly title: string },
  expiresAt: string | null,
  isPublic: boolean,
) => {
  const { title, normalised: key, sha256, md5 } = sshKey
  const creatorId = getUserId(ctx.actor) || null
  const row = await ctx.db
    .insertInto('sshKey')
    .values({
      userId: null,
      creatorId,
      deploy: true,
      public: isPublic,
      usageType: 'auth_and_signing',
      title,
      key,
      sha256,
      md5,
      createdAt: ctx.now,
      expiresAt,
      lastUsedAt: null,
    } satisfies CompleteRow<'sshKey'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Finds the stored deploy key with these bytes, which callers may add to further projects; for others the key is taken. */
const findDeployKeyId = async (ctx: Context, sha256: string): Promise<number | undefined> => {
  const stored = ctx.db.selectFrom('sshKey').where('sha256', '=', sha256).select('sshKey.id')
  const row = await stored.executeTakeFirst()
  if (row && !(await stored.where(isReusable(ctx)).executeTakeFirst())) throw keyTakenError()
  return row?.id
}

const isInProject = async (ctx: Context, projectId: number, deployKey: number) =>
  (await selectDeployKeys(ctx, projectId).where('sshKey.id', '=', deployKey).executeTakeFirst()) !== undefined

const addToProject = async (ctx: Context, deployKeyId: number, projectId: number, canPush: boolean) => {
  await ctx.db
    .insertInto('deployKeyProject')
    .values({
      deployKeyId,
      projectId,
      canPush,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'deployKeyProject'>)
    .execute()
  return getDeployKey(ctx, projectId, deployKeyId)
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

export const deployKeys = {
  /** Gets a deploy key of a project. */
  get: query({
    on: project,
    can: 'deployKey.read',
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

  /**
   * Lists the deploy keys of a project, in the order in which they were added; with `user`, those of the projects that both this
   * user and the current user maintain; without both, those of the instance with their projects, by id.
   *
   * @throws PlatformError `forbidden` for a user without a common project
   */
  list: query({
    on: projectOrUser,
    can: 'deployKey.read',
    input: {
      ...pagingEntries,
      /** Whether to list only the keys of the instance that maintainers of all projects can enable. Default: false. */
      public: v.optional(v.boolean(), false),
    },
    async run(ctx, { public: isPublic, ...paging }, subject) {
      if (subject.kind === 'project') {
        const keys = selectDeployKeys(ctx, subject.project.id).orderBy('deployKeyProject.id')
        return paginate(isPublic ? keys.where('sshKey.public', '=', true) : keys, paging, toDeployKey)
      }
      const keys =
        subject.kind === 'user'
          ? await selectDeployKeysOfUser(ctx, subject.user)
          : selectAllDeployKeys(ctx).orderBy('sshKey.id')
      const page = await paginate(isPublic ? keys.where('sshKey.public', '=', true) : keys, paging, (row) =>
        toDeployKey(row),
      )
      return subject.kind === 'user' ? page : { ...page, items: await withProjects(ctx, page.items) }
    },
  }),

  /**
   * Creates a deploy key, which belongs to no user, with access to a project; without one, a public key of the instance, which
   * maintainers can enable in their projects. A stored key is shared if it is public or in another project that the current user
   * maintains; administrators can share all.
   *
   * @throws PlatformError `invalid` for an invalid key or title, a key that the settings do not allow, or one that is
   * already stored
   */
  create: command({
    on: projectOrInstance,
    can: 'deployKey.manage',
    serializes: 'instance',
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
      /** Whether the key can push to the repository of the project; otherwise it can only read. Without a project: no effect. Default: false. */
      canPush: v.optional(v.boolean(), false),
      /**
       * Time after which the host should reject the key; ISO 8601, UTC without an offset. Null (default) if it does not
       * expire. Ignored for a key that is already stored.
       */
      expiresAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { canPush, expiresAt, ...input }, subject): Promise<DeployKey> {
      const projectId = subject.kind === 'project' ? subject.project.id : undefined
      const sshKey = await parseKeyInput(ctx, input)
      const existing = await findDeployKeyId(ctx, sshKey.sha256)
      if (existing !== undefined && (projectId === undefined || (await isInProject(ctx, projectId, existing)))) {
        throw keyTakenError()
      }
      const expiry = expiresAt && normalizeInstant(expiresAt)
      const id = existing ?? (await insertDeployKey(ctx, sshKey, expiry, projectId === undefined))
      if (projectId !== undefined) return addToProject(ctx, id, projectId, canPush)
      const row = await selectAllDeployKeys(ctx).where('sshKey.id', '=', id).executeTakeFirstOrThrow()
      return { ...toDeployKey(row), projectsWithWriteAccess: [], projectsWithReadonlyAccess: [] }
    },
  }),

  /**
   * Gives an existing deploy key access to a project: a public one, or one of another project that the current user maintains;
   * administrators can enable all. The key can only read.
   */
  enable: command({
    on: project,
    can: 'deployKey.manage',
    serializes: 'instance',
    input: {
      /** Id of a deploy key, as in the list of the other project or of the instance. */
      deployKey: Id,
    },
    async run(ctx, { deployKey }, { project }): Promise<DeployKey> {
      const keys = selectAllDeployKeys(ctx).where(isReusable(ctx))
      if (!(await keys.where('sshKey.id', '=', deployKey).executeTakeFirst())) throw notFound('Deploy Key')
      return (await isInProject(ctx, project.id, deployKey))
        ? getDeployKey(ctx, project.id, deployKey)
        : addToProject(ctx, deployKey, project.id, false)
    },
  }),

  /** Revokes the access of a deploy key to a project. A key without projects is removed, unless it is public. */
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
      const rules = ctx.db.selectFrom('protectedReference').where('projectId', '=', subject.project.id)
      await ctx.db
        .deleteFrom('protectedReferenceGrant')
        .where('deployKeyId', '=', deployKey)
        .where('protectedReferenceId', 'in', rules.select('id'))
        .execute()
      const other = await ctx.db
        .selectFrom('deployKeyProject')
        .where('deployKeyId', '=', deployKey)
        .select('id')
        .executeTakeFirst()
      if (other) return
      await ctx.db.deleteFrom('sshKey').where('id', '=', deployKey).where('public', '=', false).execute()
    },
  }),
}
