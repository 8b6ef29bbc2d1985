import type { FeatureLevel, RestrictableFeature } from '../../packages/core/src/access/levels.ts'
import type { Handle } from '../../packages/core/src/kernel/store.ts'
import { eventsOf, notesOf } from './derived-rows.ts'
import { now, type RandomWorld } from './random-world.ts'

/** The column with the levels that are not `enabled`. */
const restrict = (levels: { readonly [K in RestrictableFeature]?: FeatureLevel | 'public' }) => {
  const restricted = Object.entries(levels).filter(([, level]) => level !== 'enabled')
  return restricted.length ? Object.fromEntries(restricted) : null
}

const stamps = { createdAt: now, updatedAt: now }
const notClosed = { closedAt: null, closedById: null }

/** The lineage rows of a namespace: itself and each ancestor, with the depth. */
const lineageOf = ({ groups }: RandomWorld, id: number) => {
  const lineage: { namespaceId: number; ancestorId: number; depth: number }[] = []
  let ancestorId: number | null | undefined = id
  for (let depth = 0; ancestorId != null; depth++) {
    lineage.push({ namespaceId: id, ancestorId, depth })
    const current: number = ancestorId
    ancestorId = groups.find((group) => group.id === current)?.parentId
  }
  return lineage
}

/** Inserts the rows of a world into an empty database, also of worlds that the operations would reject. */
export async function insertWorld({ db }: Handle, world: RandomWorld): Promise<void> {
  const { users, groups, projects, members, shares, issues, mergeRequests, snippets, epics } = world
  await db
    .insertInto('user')
    .values(
      users.map(({ id, external }) => ({
        id,
        username: `user${id}`,
        name: `User ${id}`,
        email: `user${id}@example.com`,
        state: 'active' as const,
        admin: false,
        external,
        privateProfile: false,
        avatarUrl: null,
        ...stamps,
      })),
    )
    .execute()
  const namespace = (id: number, name: string) => ({
    id,
    name,
    path: name,
    fullName: name,
    fullPath: name,
    description: '',
    requestAccessEnabled: true,
    avatarUrl: null,
    ...stamps,
  })
  const personal = users.map(({ id }) => ({
    ...namespace(groups.length + id, `user${id}`),
    kind: 'user' as const,
    visibility: 'public' as const,
    importerId: null,
    parentId: null,
    ownerId: id,
  }))
  await db
    .insertInto('namespace')
    .values([
      ...groups.map(({ id, parentId, visibility, importerId }) => ({
        ...namespace(id, `group${id}`),
        importerId,
        kind: 'group' as const,
        visibility,
        parentId,
        ownerId: null,
      })),
      ...personal,
    ])
    .execute()
  await db
    .insertInto('namespaceLineage')
    .values([...groups, ...personal].flatMap(({ id }) => lineageOf(world, id)))
    .execute()
  await db
    .insertInto('project')
    .values(
      projects.map(({ id, namespaceId, visibility, archived, importerId, ...levels }) => ({
        id,
        namespaceId,
        importerId,
        creatorId: null,
        name: `project${id}`,
        path: `project${id}`,
        fullPath: `home/project${id}`,
        description: null,
        visibility,
        archived,
        defaultBranch: 'main',
        requestAccessEnabled: true,
        issuesAccessLevel: levels.issues,
        mergeRequestsAccessLevel: levels.mergeRequests,
        repositoryAccessLevel: levels.repository,
        snippetsAccessLevel: levels.snippets,
        pipelineReaders: 'everyone' as const,
        restrictedFeatures: restrict({ packageRegistry: levels.packages, environments: levels.environments }),
        avatarUrl: null,
        lastActivityAt: now,
        ...stamps,
      })),
    )
    .execute()
  const created = { createdAt: now }
  if (members.length) {
    await db
      .insertInto('member')
      .values(members.map((member) => ({ ...member, ...created })))
      .execute()
  }
  if (shares.length) {
    await db
      .insertInto('share')
      .values(shares.map((share) => ({ ...share, ...created })))
      .execute()
  }
  if (issues.length) {
    await db
      .insertInto('issue')
      .values(
        issues.map(({ assignees, ...issue }) => ({
          ...issue,
          iid: issue.id,
          title: `Issue ${issue.id}`,
          description: null,
          state: 'opened' as const,
          discussionLocked: false,
          milestoneId: null,
          issueType: 'issue' as const,
          dueDate: null,
          weight: null,
          healthStatus: null,
          timeEstimate: 0,
          totalTimeSpent: 0,
          ...notClosed,
          ...stamps,
        })),
      )
      .execute()
    const assigned = issues.flatMap(({ id, assignees }) => assignees.map((userId) => ({ issueId: id, userId })))
    if (assigned.length) await db.insertInto('issueAssignee').values(assigned).execute()
  }
  if (mergeRequests.length) {
    await db
      .insertInto('mergeRequest')
      .values(
        mergeRequests.map((mergeRequest) => ({
          ...mergeRequest,
          iid: mergeRequest.id,
          sourceProjectId: mergeRequest.projectId,
          allowCollaboration: false,
          mergeAfter: null,
          title: `Merge request ${mergeRequest.id}`,
          description: null,
          state: 'opened' as const,
          sourceBranch: 'topic',
          targetBranch: 'main',
          mergeWhenPipelineSucceeds: false,
          discussionLocked: false,
          milestoneId: null,
          mergeStatus: 'unchecked' as const,
          timeEstimate: 0,
          totalTimeSpent: 0,
          mergedAt: null,
          mergedById: null,
          squash: false,
          removeSourceBranch: false,
          ...notClosed,
          ...stamps,
        })),
      )
      .execute()
  }
  if (epics.length) {
    await db
      .insertInto('epic')
      .values(
        epics.map((epic) => ({
          ...epic,
          startDateIsFixed: false,
          dueDateIsFixed: false,
          iid: epic.id,
          title: `Epic ${epic.id}`,
          description: null,
          state: 'opened' as const,
          ...notClosed,
          ...stamps,
        })),
      )
      .execute()
  }
  if (snippets.length) {
    await db
      .insertInto('snippet')
      .values(
        snippets.map((snippet) => ({
          ...snippet,
          title: `Snippet ${snippet.id}`,
          fileName: '',
          description: null,
          content: 'text',
          ...stamps,
        })),
      )
      .execute()
  }
  const notes = notesOf(world)
  if (notes.length) {
    await db
      .insertInto('note')
      .values(
        notes.map(({ projectId: _projectId, groupId: _groupId, ...note }) => ({
          ...note,
          body: 'text',
          system: false,
          ...stamps,
        })),
      )
      .execute()
  }
  await db.insertInto('event').values(eventsOf(world)).execute()
}
