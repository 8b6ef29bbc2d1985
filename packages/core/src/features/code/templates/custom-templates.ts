import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TemplateKind } from '../../../ports/templates.ts'
import { readLineage } from '../../accounts/namespaces/inherited-settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { type OpenedRepository, openRepository } from '../repository/opened-repository.ts'
import { listFolder, readEntry } from './repository-templates.ts'

/** Where the repository of a template project has its templates. */
const folders: Readonly<Record<TemplateKind, { readonly path: string; readonly extension: string }>> = {
  dockerfiles: { path: 'Dockerfile', extension: '.dockerfile' },
  gitignores: { path: 'gitignore', extension: '.gitignore' },
  gitlab_ci_ymls: { path: 'gitlab-ci', extension: '.yml' },
  licenses: { path: 'LICENSE', extension: '.txt' },
}

/** A template of a project that the settings of the instance or of a group name. */
export interface CustomTemplate {
  readonly key: string
  readonly name: string
  /** Reads the text; undefined if it was removed since. */
  read(): Promise<string | undefined>
}

/** Template projects of the groups above a project, the nearest first. Others than those in the group could be private to strangers. */
const listGroupProjects = async (ctx: Context, namespaceId: number): Promise<readonly number[]> => {
  const named = (await readLineage(ctx, namespaceId)).flatMap(({ id, settings }) =>
    settings?.fileTemplateProjectId ? [{ groupId: id, projectId: settings.fileTemplateProjectId }] : [],
  )
  const ids: number[] = []
  for (const { groupId, projectId } of named) {
    const project = await findProject(ctx, projectId)
    if (project && (await readLineage(ctx, project.namespaceId)).some(({ id }) => id === groupId)) ids.push(projectId)
  }
  return ids
}

/**
 * The repositories with templates for everyone: of the groups above a project, and of the instance. Their files are readable by all who
 * can list templates, also if the project is private. None on a platform of the free tier.
 */
export const openTemplateProjects = async (
  ctx: Context,
  subject?: Subjects['project'],
): Promise<readonly OpenedRepository[]> => {
  if (ctx.tier === 'free') return []
  const { fileTemplateProjectId } = await getSettings(ctx)
  const ids = new Set(subject ? await listGroupProjects(ctx, subject.project.namespaceId) : [])
  if (fileTemplateProjectId !== null) ids.add(fileTemplateProjectId)
  const opened: OpenedRepository[] = []
  for (const id of ids) {
    const project = await findProject(ctx, id)
    const repository = project && (await openRepository(ctx, { project }))
    if (repository) opened.push(repository)
  }
  return opened
}

/** The custom templates of a kind, after the transaction. A name of a nearer project takes precedence. */
export const listCustomTemplates = async (
  repositories: readonly OpenedRepository[],
  kind: TemplateKind,
): Promise<readonly CustomTemplate[]> => {
  const templates = new Map<string, CustomTemplate>()
  for (const opened of repositories) {
    for (const { name, blob } of await listFolder(opened, folders[kind])) {
      if (templates.has(name)) continue
      templates.set(name, { key: name, name, read: () => readEntry(opened, blob) })
    }
  }
  return [...templates.values()]
}
