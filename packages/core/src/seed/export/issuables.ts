import type { Award } from '../../features/collaboration/award-emoji/award.ts'
import type { MergeRequest } from '../../features/collaboration/merge-requests/merge-request.ts'
import type { Epic } from '../../features/planning/epics/epic.ts'
import type { Issue } from '../../features/planning/issues/issue.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, numbered, present, readShown } from './exporter.ts'
import { exportNotes, exportReviewNotes } from './notes.ts'

type SeedProject = NonNullable<Seed['projects']>[number]
type SeedEpic = NonNullable<NonNullable<Seed['groups']>[number]['epics']>[number]
type SeedIssue = NonNullable<SeedProject['issues']>[number]
type SeedMergeRequest = NonNullable<SeedProject['mergeRequests']>[number]
const groupEmoji = (awards: readonly Award[]) =>
  [...Map.groupBy(awards, ({ name }) => name)].map(([name, given]) => ({
    name,
    users: given.map(({ user }) => user.username),
  }))

/** Epics are numbered in the order of the seed, without gaps. */
const inOrder = ({ omit }: Exporter, epics: readonly Epic[], path: string): Epic[] => {
  const sorted = epics.toSorted((a, b) => a.iid - b.iid)
  if (sorted.length && sorted.at(-1)?.iid !== sorted.length)
    omit(`the numbers of epics in ${path}, because some were removed`)
  return sorted
}

const toDuration = (seconds: number) => (seconds ? `${seconds}s` : undefined)

const exportFields = (item: Issue | MergeRequest, endedAt: string | null) => ({
  title: item.title,
  author: item.author.username,
  createdAt: item.createdAt,
  ...present({
    description: item.description,
    labels: [...item.labels],
    assignees: item.assignees.map(({ username }) => username),
    milestone: item.milestone?.title,
    discussionLocked: item.discussionLocked,
    timeEstimate: toDuration(item.timeEstimate),
    timeSpent: toDuration(item.totalTimeSpent),
    endedAt,
  }),
  ...(item.state !== 'opened' && { state: item.state as never }),
})

/** The links to earlier issues, which a seed can name. */
const exportLinks = async ({ host }: Exporter, { projectId, iid }: Issue): Promise<SeedIssue['links']> => {
  const links = await readAll(host.issueLinks.list, { project: projectId, issue: iid })
  return links
    .filter((other) => (other.projectId === projectId ? other.iid < iid : other.projectId < projectId))
    .map((other) => ({
      ...(other.projectId !== projectId && { project: other.projectPath }),
      issue: other.iid,
      ...(other.linkType !== 'relates_to' && { linkType: other.linkType }),
    }))
}

export async function exportIssues(exporter: Exporter, project: number): Promise<SeedIssue[]> {
  const { host } = exporter
  const issues = await readShown(host.issues.list, { project, sort: 'asc' })
  const exported: SeedIssue[] = []
  for (const { item, number } of numbered(issues)) {
    const ref = { project, issue: item.iid }
    exported.push({
      ...number,
      ...exportFields(item, item.closedAt),
      ...present({
        confidential: item.confidential,
        dueDate: item.dueDate,
        weight: item.weight,
        healthStatus: item.healthStatus,
        issueType: item.issueType === 'issue' ? undefined : item.issueType,
        epic: exporter.epicTitles.get(item.id),
      }),
      ...present({
        links: await exportLinks(exporter, item),
        emoji: groupEmoji(await readAll(host.awardEmoji.list, ref)),
        notes: await exportNotes(exporter, ref),
      }),
    })
  }
  return exported
}

const exportMergeRequest = async (
  exporter: Exporter,
  item: MergeRequest,
  others: Omit<Partial<SeedMergeRequest>, 'title'>,
): Promise<SeedMergeRequest> => {
  const { awardEmoji } = exporter.host
  const ref = { project: item.projectId, mergeRequest: item.iid }
  return {
    ...others,
    ...exportFields(item, item.mergedAt ?? item.closedAt),
    sourceBranch: item.sourceBranch,
    targetBranch: item.targetBranch,
    ...present({
      reviewers: item.reviewers.map(({ username }) => username),
      squash: item.squash,
      removeSourceBranch: item.removeSourceBranch,
      mergeAfter: item.mergeAfter,
    }),
    ...present({
      emoji: groupEmoji(await readAll(awardEmoji.list, ref)),
      notes: await exportReviewNotes(exporter, ref),
    }),
  }
}

/** What archives do not contain, because it requires access to other projects or of other users. */
const exportCollaboration = async ({ host }: Exporter, { projectId, iid, allowCollaboration }: MergeRequest) => {
  const { approvedBy } = await host.mergeRequestApprovals.get({ project: projectId, mergeRequest: iid })
  return present({ allowCollaboration, approvedBy: approvedBy.map(({ user }) => user.username) })
}

/** The merge requests into a project, with those from other projects as if their branches had been in it. */
export async function exportOwnMergeRequests(exporter: Exporter, project: number): Promise<SeedMergeRequest[]> {
  const { mergeRequests } = exporter.host
  const items = await readShown(mergeRequests.list, { project, sort: 'asc' })
  const exported: SeedMergeRequest[] = []
  for (const { item, number } of numbered(items)) {
    if (item.fromFork) exporter.omit('the forks that merge requests come from')
    exported.push(await exportMergeRequest(exporter, item, number))
  }
  return exported
}

/** The merge requests of a project, and those from or into earlier projects: a seed names only earlier projects. */
export async function exportMergeRequests(exporter: Exporter, project: number): Promise<SeedMergeRequest[]> {
  const { mergeRequests, projects } = exporter.host
  const isLater = (other: number | null) => other === null || project >= other
  const into = await readShown(mergeRequests.list, { project, sort: 'asc' })
  const fromProject = { sourceProjectId: project, scope: 'all', sort: 'asc' } as const
  const outOf = await readAll(mergeRequests.list, fromProject)
  const exported: SeedMergeRequest[] = []
  for (const { item, number } of numbered(into.filter(({ sourceProjectId }) => isLater(sourceProjectId)))) {
    const sourceId = item.fromFork ? item.sourceProjectId : null
    if (item.fromFork && sourceId === null) exporter.omit('the removed forks that merge requests come from')
    const source = sourceId === null ? undefined : await projects.get({ project: sourceId })
    const others = source ? { iid: item.iid, sourceProject: source.fullPath } : number
    exported.push(
      await exportMergeRequest(exporter, item, { ...others, ...(await exportCollaboration(exporter, item)) }),
    )
  }
  for (const item of outOf.filter(({ projectId, fromFork }) => fromFork && isLater(projectId)))
    exported.push(
      await exportMergeRequest(exporter, item, {
        iid: item.iid,
        targetProject: item.projectPath,
        ...(await exportCollaboration(exporter, item)),
      }),
    )
  return exported
}

/** By default, dates that are set are fixed. */
const exportFixed = ({ startDate, dueDate, startDateIsFixed, dueDateIsFixed }: Epic) => ({
  ...(startDateIsFixed !== (startDate !== null) && { startDateIsFixed }),
  ...(dueDateIsFixed !== (dueDate !== null) && { dueDateIsFixed }),
})

export async function exportEpics(exporter: Exporter, group: number, path: string): Promise<SeedEpic[]> {
  const { host } = exporter
  const ownEpics = { group, includeDescendantGroups: false }
  const epics = await readShown(host.epics.list, ownEpics)
  const exported: SeedEpic[] = []
  for (const epic of inOrder(exporter, epics, path)) {
    const ref = { group, epic: epic.iid }
    for (const { id } of await readAll(host.epicIssues.list, ref)) exporter.epicTitles.set(id, epic.title)
    const emoji = groupEmoji(await readAll(host.awardEmoji.list, ref))
    exported.push({
      title: epic.title,
      author: epic.author.username,
      createdAt: epic.createdAt,
      ...present({
        description: epic.description,
        confidential: epic.confidential,
        labels: [...epic.labels],
        startDate: epic.startDate,
        dueDate: epic.dueDate,
        color: epic.color,
        endedAt: epic.closedAt,
      }),
      ...exportFixed(epic),
      ...(epic.state === 'closed' && { state: epic.state }),
      ...present({ emoji, notes: await exportNotes(exporter, { group, epicId: epic.id }) }),
    })
  }
  return exported
}
