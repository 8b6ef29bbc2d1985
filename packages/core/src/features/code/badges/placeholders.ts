import { findNamespace } from '../../../access/namespaces.ts'
import { project as projectSubject } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { defined } from '../../../shared/defined.ts'
import { selectReadableProjects } from '../../spaces/projects/project-list.ts'
import { findTip, type OpenedRepository, openRepository } from '../repository/opened-repository.ts'

type Subject = Subjects['project'] | Subjects['group']

/** The values of placeholders for one project. */
export interface PlaceholderValues {
  readonly values: Readonly<Record<string, string>>
  /** The repository with the value of `%{commit_sha}`; undefined if the current user cannot read the code. */
  readonly opened: OpenedRepository | undefined
}

/** The oldest project of a group that the current user can read; its values appear in the badges of the group. */
const findExample = async (ctx: Context, groupId: number): Promise<Subjects['project'] | undefined> => {
  const row = await selectReadableProjects(ctx)
    .where('project.namespaceId', '=', groupId)
    .orderBy('project.id')
    .select('project.id')
    .limit(1)
    .executeTakeFirst()
  return row && loadVisible(ctx, projectSubject, { project: row.id })
}

/** The values for a project, or for the oldest project of a group; undefined for a group without a visible project. */
export const readPlaceholders = async (ctx: Context, subject: Subject): Promise<PlaceholderValues | undefined> => {
  const example = subject.kind === 'project' ? subject : await findExample(ctx, subject.group.id)
  if (!example) return undefined
  const { project } = example
  const namespace = await findNamespace(ctx, project.namespaceId)
  const canReadCode = hasAbility(ctx.actor, example, 'code.read')
  return {
    values: {
      project_path: project.fullPath,
      project_title: project.name,
      project_name: project.path,
      project_id: String(project.id),
      project_namespace: namespace?.fullPath ?? '',
      group_name: namespace?.kind === 'group' ? namespace.name : '',
      gitlab_server: URL.parse(ctx.call.siteUrl ?? '')?.host ?? '',
      ...(canReadCode && { default_branch: project.defaultBranch }),
    },
    opened: canReadCode ? await openRepository(ctx, example) : undefined,
  }
}

const pattern = /%\{(\w+)\}/g

/**
 * Returns the function that replaces placeholders in URLs; unknown ones stay. Reads the repository if one of the URLs contains
 * `%{commit_sha}`.
 */
export const createRenderer = async (
  found: PlaceholderValues | undefined,
  urls: readonly string[],
): Promise<(url: string) => string> => {
  if (!found) return (url) => url
  const { opened } = found
  const tip = opened && urls.some((url) => url.includes('%{commit_sha}')) ? await findTip(opened) : undefined
  const values: Readonly<Record<string, string>> = { ...found.values, ...(tip !== undefined && { commit_sha: tip }) }
  return (url) =>
    url.replace(pattern, (placeholder, name: string) =>
      Object.hasOwn(values, name) ? encodeURI(defined(values[name])) : placeholder,
    )
}

/** The URL with letters instead of placeholders, for the check of its syntax. */
export const withoutPlaceholders = (url: string): string => url.replace(pattern, 'x')
