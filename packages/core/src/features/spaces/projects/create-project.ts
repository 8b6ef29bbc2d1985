import { getLessVisible, isMoreVisible } from '../../../access/levels.ts'
import { project } from '../../../access/subjects.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { toPathSegment } from '../../../shared/text.ts'
import { setAvatar } from '../../accounts/avatars/mutations.ts'
import { forgetPath } from '../../accounts/namespaces/earlier-paths.ts'
import { findDefaultBranchName } from '../../accounts/namespaces/inherited-settings.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { isReservedProject } from '../../accounts/namespaces/reserved-names.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { chooseVisibility } from '../../administration/settings/restricted-visibility.ts'
import { assertValidNames } from '../groups/names.ts'
import { createVisibilityError, type ProjectInput } from './details-input.ts'
import { assertNotMoreVisible } from './fork-visibility.ts'
import { initialSettings } from './initial-settings.ts'
import { assertBelowProjectLimit } from './project-limit.ts'
import type { PullMirrorInput } from './pull-mirror.ts'
import { reloadProject } from './read-details.ts'
import { toSettingColumns } from './stored-settings.ts'

export interface NewProject extends ProjectInput, PullMirrorInput {
  /** At least one of `name` and `path` is set. */
  readonly name?: string | undefined
  readonly path?: string | undefined
  readonly forkedFrom?: number | string | undefined
  readonly creatorId: number | null
  readonly importerId?: number | undefined
}

/** The source of a fork. The current user must be able to read its code. */
const resolveForkSource = async (ctx: Context, ref: number | string | undefined): Promise<Project | undefined> => {
  if (ref === undefined) return undefined
  const source = await loadVisible(ctx, project, { project: ref })
  if (!hasAbility(ctx.actor, source, 'code.read')) throw forbidden('Forking requires access to the repository')
  return source.project
}

/**
 * Creates a project without a repository.
 *
 * @throws PlatformError `invalid` for an invalid name, path or visibility or at the limit of personal projects, `conflict`
 * when the path is taken
 */
export async function createProject(ctx: Context, namespace: Namespace, input: NewProject): Promise<Project> {
  const { name = input.path ?? '', path = toPathSegment(name), visibility: requested, creatorId, ...rest } = input
  assertValidNames({ name, path })
  if (isReservedProject(path, ctx.actor)) throw invalid({ path: ['is a reserved name'] })
  const settings = await getSettings(ctx)
  const source = await resolveForkSource(ctx, rest.forkedFrom)
  const highest = getLessVisible(source?.visibility ?? namespace.visibility, namespace.visibility)
  const visibility = await chooseVisibility(ctx, requested, getLessVisible(settings.defaultProjectVisibility, highest))
  assertNotMoreVisible(visibility, source?.visibility)
  if (isMoreVisible(visibility, namespace.visibility)) throw createVisibilityError()
  const fullPath = `${namespace.fullPath}/${path}`
  await assertPathAvailable(ctx, fullPath)
  await assertBelowProjectLimit(ctx, namespace)
  const { id } = await ctx.db
    .insertInto('project')
    .values({
      namespaceId: namespace.id,
      creatorId,
      name,
      path,
      fullPath,
      visibility,
      archived: false,
      archivedWithId: null,
      markedForDeletionOn: null,
      description: rest.description ?? null,
      defaultBranch: rest.defaultBranch ?? (await findDefaultBranchName(ctx, namespace.id, settings)),
      requestAccessEnabled: rest.requestAccessEnabled ?? true,
      issuesAccessLevel: rest.issuesAccessLevel ?? 'enabled',
      mergeRequestsAccessLevel: rest.mergeRequestsAccessLevel ?? 'enabled',
      repositoryAccessLevel: rest.repositoryAccessLevel ?? 'enabled',
      snippetsAccessLevel: rest.snippetsAccessLevel ?? 'enabled',
      avatarUrl: rest.avatarUrl ?? null,
      importerId: rest.importerId ?? namespace.importerId,
      forkedFromId: source?.id ?? null,
      emptyRepo: true,
      hasSecurityReports: rest.hasSecurityReports ?? false,
      runnersToken: Buffer.from(ctx.ports.random.bytes(20)).toString('base64url'),
      ...toSettingColumns(initialSettings(ctx, settings, rest.settings)),
      createdAt: ctx.now,
      updatedAt: ctx.now,
      lastActivityAt: ctx.now,
    } satisfies CompleteRow<'project'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await forgetPath(ctx, fullPath)
  await setAvatar(ctx, 'project', id, rest.avatar)
  const created = await reloadProject(ctx, id)
  await ctx.emit('project.created', { project: created })
  return created
}
