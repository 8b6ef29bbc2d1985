import type { ExpressionBuilder } from 'kysely'
import { projectIdsWithAccess } from '../../../access/access-conditions.ts'
import { Access } from '../../../access/levels.ts'
import type { Database } from '../../../contract/database.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { findUser } from '../../accounts/users/queries.ts'
import type { DeployKey, DeployKeyProjectIdentity } from './deploy-key.ts'

const keyColumns = [
  'sshKey.id',
  'sshKey.title',
  'sshKey.key',
  'sshKey.createdAt',
  'sshKey.expiresAt',
  'sshKey.usageType',
  'sshKey.lastUsedAt',
  'sshKey.md5',
  'sshKey.sha256',
] as const

/** The deploy keys of a project. */
export const selectDeployKeys = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('deployKeyProject')
    .innerJoin('sshKey', 'sshKey.id', 'deployKeyProject.deployKeyId')
    .where('deployKeyProject.projectId', '=', projectId)
    .select(keyColumns)
    .select('deployKeyProject.canPush')

/** The deploy keys of the instance. */
export const selectAllDeployKeys = (ctx: Context) =>
  ctx.db.selectFrom('sshKey').where('sshKey.deploy', '=', true).select(keyColumns)

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectAllDeployKeys>['executeTakeFirstOrThrow']>>

export const toDeployKey = ({ md5, sha256, canPush, ...key }: KeyRow & { readonly canPush?: boolean }): DeployKey => ({
  ...key,
  fingerprint: md5,
  fingerprintSha256: `SHA256:${sha256}`,
  canPush: canPush ?? null,
})

/** A deploy key of a project. @throws PlatformError `not_found` for another key */
export const getDeployKey = async (ctx: Context, projectId: number, deployKey: number): Promise<DeployKey> => {
  const row = await selectDeployKeys(ctx, projectId).where('sshKey.id', '=', deployKey).executeTakeFirst()
  if (!row) throw notFound('Deploy Key')
  return toDeployKey(row)
}

const maintainedProjects = (ctx: Pick<Context, 'db' | 'actor' | 'now'>) => projectIdsWithAccess(ctx, Access.maintainer)

/** The current user can add the key to a project: it is public, or in a project that the user maintains. */
export const isReusable = (ctx: Context) => (eb: ExpressionBuilder<Database, 'sshKey'>) =>
  isAdministrator(ctx.actor)
    ? eb('sshKey.deploy', '=', true)
    : eb.and([
        eb('sshKey.deploy', '=', true),
        eb.or([
          eb('sshKey.public', '=', true),
          eb(
            'sshKey.id',
            'in',
            ctx.db
              .selectFrom('deployKeyProject')
              .where('projectId', 'in', maintainedProjects(ctx))
              .select('deployKeyId'),
          ),
        ]),
      ])

/**
 * The deploy keys of the projects that both a user and the current user maintain.
 *
 * @throws PlatformError `forbidden` without such a project
 */
export const selectDeployKeysOfUser = async (ctx: Context, ref: number | string) => {
  const { id, username, name } = await findUser(ctx, ref)
  const actor = { kind: 'user', id, username, name, admin: false, external: false, bot: false, scopes: null } as const
  const projects = ctx.db.selectFrom('project').where('id', 'in', maintainedProjects({ ...ctx, actor }))
  const common = isAdministrator(ctx.actor) ? projects : projects.where('id', 'in', maintainedProjects(ctx))
  if (!(await common.select('id').executeTakeFirst())) throw forbidden('No common authorized project found')
  const keyIds = ctx.db
    .selectFrom('deployKeyProject')
    .where('projectId', 'in', common.select('project.id'))
    .select('deployKeyId')
  return selectAllDeployKeys(ctx).where('sshKey.id', 'in', keyIds).orderBy('sshKey.id')
}

/** Adds the projects that the keys of a page can access. */
export const withProjects = async (ctx: Context, keys: readonly DeployKey[]): Promise<readonly DeployKey[]> => {
  if (!keys.length) return keys
  const rows = await ctx.db
    .selectFrom('deployKeyProject')
    .innerJoin('project', 'project.id', 'deployKeyProject.projectId')
    .innerJoin('namespace', 'namespace.id', 'project.namespaceId')
    .where(
      'deployKeyId',
      'in',
      keys.map(({ id }) => id),
    )
    .orderBy('deployKeyProject.id')
    .select(['deployKeyId', 'canPush', 'project.id', 'project.description', 'project.name', 'project.path'])
    .select(['project.fullPath', 'project.createdAt', 'namespace.fullName'])
    .execute()
  const projectsOf = (key: number, push: boolean) =>
    rows
      .filter(({ deployKeyId, canPush }) => deployKeyId === key && canPush === push)
      .map(
        ({ deployKeyId: _, canPush: __, fullName, ...project }): DeployKeyProjectIdentity => ({
          ...project,
          nameWithNamespace: `${fullName} / ${project.name}`,
        }),
      )
  return keys.map((key) => ({
    ...key,
    projectsWithWriteAccess: projectsOf(key.id, true),
    projectsWithReadonlyAccess: projectsOf(key.id, false),
  }))
}
