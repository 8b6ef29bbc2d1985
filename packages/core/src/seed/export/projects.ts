import type { Snippet } from '../../features/collaboration/snippets/snippet.ts'
import type { ProjectDetails } from '../../features/spaces/projects/project-record.ts'
import { withDefaultSettings } from '../../features/spaces/projects/settings.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { exportContainerContent, exportPullMirror, exportPushRule } from './container-content.ts'
import { exportSharedSections } from './containers.ts'
import { type Exporter, exportAvatarUrl, present, unless } from './exporter.ts'
import { changedSettings, findArchivedGroups } from './groups.ts'
import { exportIssues, exportMergeRequests } from './issuables.ts'
import { exportNotes } from './notes.ts'
import { exportPipelineSchedules, exportPipelines } from './pipelines.ts'
import { exportProjectDetails } from './project-details.ts'
import { exportApprovalRules, exportProtectedReferences } from './protected-references.ts'

/** Who can see a project, and who can use which of its features. */
export const exportAccessFields = (project: ProjectDetails) => ({
  visibility: project.visibility,
  requestAccessEnabled: project.requestAccessEnabled,
  issuesAccessLevel: project.issuesAccessLevel,
  mergeRequestsAccessLevel: project.mergeRequestsAccessLevel,
  repositoryAccessLevel: project.repositoryAccessLevel,
  snippetsAccessLevel: project.snippetsAccessLevel,
})

type SeedProject = NonNullable<Seed['projects']>[number]

/** What users contributed to any project, which only their own sessions list. */
interface Contributions {
  /** Usernames by project id. */
  readonly stars: ReadonlyMap<number, readonly string[]>
  /** In the order of their creation. */
  readonly snippets: readonly Snippet[]
}

export async function readContributions(exporter: Exporter, seed: Seed): Promise<Contributions> {
  const stars = new Map<number, string[]>()
  const snippets: Snippet[] = []
  for (const { username, blocked } of seed.users ?? []) {
    if (blocked) {
      exporter.omit('stars and snippets of blocked users')
      continue
    }
    const session = exporter.asUser(username)
    for (const { id } of await readAll(session.projects.list, { starred: true })) {
      stars.set(id, [...(stars.get(id) ?? []), username])
    }
    snippets.push(...(await readAll(session.snippets.list, {})))
  }
  return { stars, snippets: snippets.toSorted((a, b) => a.id - b.id) }
}

/** The personal snippets, or those of one project. */
export async function exportSnippets(
  exporter: Exporter,
  { snippets }: Contributions,
  projectId: number | null,
): Promise<NonNullable<SeedProject['snippets']>> {
  const { host } = exporter
  const exported = []
  for (const { id, title, fileName, filePaths, description, visibility, author, createdAt } of snippets.filter(
    (snippet) => snippet.projectId === projectId,
  )) {
    const origin = await unless(['not_found'], host.snippets.getUserAgent({ snippet: id }))
    const files = []
    for (const filePath of filePaths) {
      const { content } = await host.snippets.getRaw({ snippet: id, filePath })
      files.push({ filePath, content })
    }
    const notes = projectId === null ? [] : await exportNotes(exporter, { project: projectId, snippet: id })
    exported.push({
      title,
      ...(files.length > 1 ? { files } : { content: files[0]?.content ?? '', ...present({ fileName }) }),
      visibility,
      author: author.username,
      createdAt,
      ...present({ description, userAgent: origin?.userAgent, ipAddress: origin?.ipAddress, notes }),
    })
  }
  return exported
}

/** All projects in the order of their creation, with their content. */
export async function exportProjects(exporter: Exporter, contributions: Contributions): Promise<SeedProject[]> {
  const { host, readRepository } = exporter
  const defaults = withDefaultSettings(null)
  const projects = await readAll(host.projects.list, { orderBy: 'id', sort: 'asc' })
  const reporting = await readAll(host.projects.list, { withSecurityReports: true })
  const withReports = new Set(reporting.map(({ id }) => id))
  const isInArchivedGroup = await findArchivedGroups(exporter)
  const exported: SeedProject[] = []
  for (const { id, fullPath: path } of projects) {
    const project = await host.projects.get({ project: id })
    const parent = { project: id, path, isNew: false }
    const owner = project.namespace.kind === 'user' ? project.namespace.path : undefined
    const repository = project.emptyRepo ? undefined : await readRepository?.({ id, fullPath: path })
    if (project.markedForDeletionOn !== null) exporter.omit('marks for deletion')
    if (!project.emptyRepo && !repository) exporter.omit('repositories')
    // A seed names only earlier projects.
    const source = (project.forkedFromProject?.id ?? id) < id ? project.forkedFromProject : undefined
    if (project.forkedFromProject && !source) exporter.omit('sources of forks that are newer than the fork')
    exported.push({
      path,
      name: project.name,
      createdAt: project.createdAt,
      ...exportAccessFields(project),
      ...present({
        description: project.description,
        defaultBranch: project.defaultBranch === 'main' ? undefined : project.defaultBranch,
        avatarUrl: exportAvatarUrl(exporter, project.avatarUrl),
        forkedFrom: source?.fullPath,
        settings: changedSettings(project, defaults),
        archived: project.archived && !isInArchivedGroup(path),
        hasSecurityReports: withReports.has(id),
        stars: [...(contributions.stars.get(id) ?? [])],
        repository,
      }),
      ...(await exportSharedSections(exporter, parent, owner, () => true)),
      ...(await exportPushRule(exporter, parent)),
      ...(await exportPullMirror(exporter, id)),
      ...(await exportContainerContent(exporter, parent)),
      ...present({
        issues: await exportIssues(exporter, id),
        mergeRequests: await exportMergeRequests(exporter, id),
        snippets: await exportSnippets(exporter, contributions, id),
        pipelines: await exportPipelines(exporter, id),
        pipelineSchedules: await exportPipelineSchedules(exporter, id),
      }),
      ...(await exportProjectDetails(exporter, id, repository !== undefined)),
      ...(await exportProtectedReferences(exporter, id)),
      ...present({ approvalRules: await exportApprovalRules(exporter, id) }),
    })
  }
  return exported
}
