import { getLessVisible } from '../../access/levels.ts'
import type { ArchiveTarget } from '../../contract/archive-data.ts'
import { withDefaultSettings } from '../../features/spaces/projects/settings.ts'
import { exportContainerContent } from '../export/container-content.ts'
import { exportSharedSections } from '../export/containers.ts'
import { type Exporter, present } from '../export/exporter.ts'
import { changedSettings } from '../export/groups.ts'
import { exportIssues, exportOwnMergeRequests } from '../export/issuables.ts'
import { exportHooks, exportReleases } from '../export/project-details.ts'
import { exportAccessFields, exportSnippets } from '../export/projects.ts'
import { exportProtectedReferences } from '../export/protected-references.ts'
import { readAll } from '../pages.ts'
import { seedSections } from '../sections.ts'
import type { Seeder } from '../seeder.ts'
import { exportUserList } from './container-content.ts'
import { exportInheritedItems } from './inherited-items.ts'
import { mapProjectItems } from './project-items.ts'
import { type ProjectContent, type ProjectContentInput, projectSections, restrictionEntries } from './project-schema.ts'

/** Settings that belong to the instance or follow from other data. */
const omittedSettings: readonly string[] = [
  'importStatus',
  'importType',
  'importError',
  'importSource',
  'repositoryStorage',
  'readmePath',
  'license',
  'containerExpirationPolicy',
]

const selectSettings = (settings: Readonly<Record<string, unknown>> | undefined) =>
  Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => !omittedSettings.includes(name)))

/** Only administrators see the browsers and IP addresses of authors, and maintainers download archives. */
const withoutOrigins = (snippets: Awaited<ReturnType<typeof exportSnippets>>) =>
  snippets.map(({ userAgent: _agent, ipAddress: _address, ...snippet }) => snippet)

/** The content of a project for an archive. */
export async function exportProjectContent(exporter: Exporter, id: number): Promise<ProjectContentInput> {
  const { host } = exporter
  const project = await host.projects.get({ project: id })
  const parent = { project: id, path: project.fullPath, isNew: false }
  const owner = project.namespace.kind === 'user' ? project.namespace.path : undefined
  const { members, labels, milestones } = await exportSharedSections(exporter, parent, owner, () => true)
  const settings = selectSettings(changedSettings(project, withDefaultSettings(null)))
  const snippets = await readAll(host.snippets.list, { project: id })
  const content = {
    ...exportAccessFields(project),
    ...present({
      description: project.description,
      defaultBranch: project.defaultBranch,
      settings: Object.keys(settings).length ? settings : undefined,
      members,
      labels,
      milestones,
    }),
    ...(await exportContainerContent(exporter, parent)),
    ...present({
      issues: await exportIssues(exporter, id),
      mergeRequests: await exportOwnMergeRequests(exporter, id),
      snippets: withoutOrigins(
        await exportSnippets(exporter, { stars: new Map(), snippets: snippets.toReversed() }, id),
      ),
      releases: project.emptyRepo ? [] : await exportReleases(exporter, id),
      hooks: await exportHooks(exporter, id),
    }),
    ...(await exportProtectedReferences(exporter, id)),
  }
  const inherited = await exportInheritedItems(exporter, id, content)
  return {
    ...content,
    ...present({
      labels: [...(content.labels ?? []), ...inherited.labels],
      milestones: [...(content.milestones ?? []), ...inherited.milestones],
    }),
    users: await exportUserList(exporter, content),
  }
}

/** The visibility of the archive, at most that of the namespace. */
const limitVisibility = async (seeder: Seeder, id: number, { visibility = 'private' }: ProjectContent) => {
  const host = seeder.asHost()
  const { namespace } = await host.projects.get({ project: id })
  if (namespace.kind === 'user') return visibility
  return getLessVisible(visibility, (await host.groups.get({ group: namespace.id, withProjects: false })).visibility)
}

/** Adds the content of an archive to an empty project, and finally the fields that show it to others. */
export async function addProjectContent(seeder: Seeder, content: ProjectContent, target: ArchiveTarget): Promise<void> {
  const { id: project, overrides, replaces } = target
  const { description = null, settings } = content
  const restrictions = Object.entries(content).filter(
    ([name, value]) => Object.hasOwn(restrictionEntries, name) && value !== undefined,
  )
  const { fullPath: path } = await seeder.asHost().projects.get({ project })
  const parent = { project, path, isNew: true }
  await seedSections(seeder, projectSections, await mapProjectItems(seeder, parent, content, target), parent)
  const { projects } = seeder.asHost()
  await projects.update({
    project,
    description,
    visibility: await limitVisibility(seeder, project, content),
    ...Object.fromEntries(restrictions),
    ...overrides.fields,
    settings: { ...selectSettings(settings), ...overrides.settings },
  })
  if (!replaces) return
  await projects.remove({ project: replaces.projectId })
  await projects.update({ project, path: replaces.path })
}
