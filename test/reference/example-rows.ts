import type { Namespace } from '../../packages/core/src/contract/namespace.ts'
import type { Project } from '../../packages/core/src/contract/project.ts'
import type { CommitCommentRecord } from '../../packages/core/src/features/collaboration/commit-comments/discussion.ts'
import type { MergeRequestRecord } from '../../packages/core/src/features/collaboration/merge-requests/merge-request.ts'
import type { NoteRecord } from '../../packages/core/src/features/collaboration/notes/note.ts'
import type { SnippetRecord } from '../../packages/core/src/features/collaboration/snippets/snippet.ts'
import type { PipelineScheduleRecord } from '../../packages/core/src/features/delivery/pipeline-schedules/schedule.ts'
import type { EpicRecord } from '../../packages/core/src/features/planning/epics/epic.ts'
import type { IssueRecord } from '../../packages/core/src/features/planning/issues/issue.ts'

/** Stored rows for the example subjects of the policy. */

/** The ids of the current user and of another user. */
export const currentUserId = 7
export const otherUserId = 8

const instant = '2026-11-21T00:00:00.000Z'

export const project: Project = {
  id: 1,
  namespaceId: 1,
  creatorId: otherUserId,
  name: 'Web',
  path: 'web',
  fullPath: 'acme/web',
  description: null,
  visibility: 'public',
  archived: false,
  markedForDeletionOn: null,
  defaultBranch: 'main',
  requestAccessEnabled: true,
  issuesAccessLevel: 'enabled',
  mergeRequestsAccessLevel: 'enabled',
  repositoryAccessLevel: 'enabled',
  snippetsAccessLevel: 'enabled',
  pipelineReaders: 'everyone',
  restrictedFeatures: null,
  avatarUrl: null,
  importerId: null,
  createdAt: instant,
  updatedAt: instant,
  lastActivityAt: instant,
}

export const namespace: Namespace = {
  id: 1,
  kind: 'group',
  ownerId: null,
  parentId: null,
  name: 'Acme',
  path: 'acme',
  fullName: 'Acme',
  fullPath: 'acme',
  description: '',
  visibility: 'public',
  requestAccessEnabled: true,
  avatarUrl: null,
  importerId: null,
  archived: false,
  markedForDeletionOn: null,
  shareWithGroupLock: false,
  projectCreationLevel: 'developer',
  subgroupCreationLevel: 'owner',
  createdAt: instant,
  updatedAt: instant,
}

export const commitComment: CommitCommentRecord = {
  id: 1,
  projectId: 1,
  sha: 'a'.repeat(40),
  authorId: otherUserId,
}

export const issue: IssueRecord = {
  id: 1,
  iid: 1,
  projectId: 1,
  authorId: otherUserId,
  title: 'The home page is slow',
  description: null,
  state: 'opened',
  confidential: false,
  discussionLocked: false,
  milestoneId: null,
  issueType: 'issue',
  dueDate: null,
  weight: null,
  createdAt: instant,
  updatedAt: instant,
  closedAt: null,
  closedById: null,
  timeEstimate: 0,
  totalTimeSpent: 0,
  movedToId: null,
  healthStatus: null,
}

export const mergeRequest: MergeRequestRecord = {
  id: 1,
  iid: 1,
  projectId: 1,
  sourceProjectId: 1,
  authorId: otherUserId,
  title: 'Cache the home page',
  description: null,
  state: 'opened',
  sourceBranch: 'cache',
  targetBranch: 'main',
  mergeWhenPipelineSucceeds: false,
  discussionLocked: false,
  milestoneId: null,
  mergeStatus: 'unchecked',
  createdAt: instant,
  updatedAt: instant,
  mergedAt: null,
  mergedById: null,
  closedAt: null,
  closedById: null,
  squash: false,
  removeSourceBranch: false,
  mergeCommitSha: null,
  squashCommitSha: null,
  mergeError: null,
  timeEstimate: 0,
  totalTimeSpent: 0,
  allowCollaboration: false,
  mergeAfter: null,
}

export const snippet: SnippetRecord = {
  id: 1,
  projectId: 1,
  authorId: otherUserId,
  title: 'How to start',
  fileName: 'start.sh',
  description: null,
  visibility: 'public',
  createdAt: instant,
  updatedAt: instant,
}

export const schedule: PipelineScheduleRecord = {
  id: 1,
  projectId: 1,
  ownerId: otherUserId,
  description: 'Nightly',
  ref: 'main',
  cron: '0 1 * * *',
  cronTimezone: 'UTC',
  active: true,
  inputs: [],
  nextRunAt: instant,
  createdAt: instant,
  updatedAt: instant,
}

export const epic: EpicRecord = {
  id: 1,
  iid: 1,
  groupId: 1,
  authorId: otherUserId,
  title: 'A faster web',
  description: null,
  state: 'opened',
  confidential: false,
  createdAt: instant,
  updatedAt: instant,
  closedAt: null,
  closedById: null,
  startDate: null,
  dueDate: null,
  color: null,
  startDateIsFixed: false,
  dueDateIsFixed: false,
}

export const note: NoteRecord = {
  id: 1,
  authorId: otherUserId,
  body: 'Same here',
  system: false,
  internal: false,
  type: null,
  createdAt: instant,
  updatedAt: instant,
}
