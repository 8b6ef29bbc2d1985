import { isVisibleTo, policy, type Rule, type Subjects } from '@forgelet/core/policy'
import {
  groupIdsWithAccess,
  hasProjectAccess,
  projectIdsWithAccess,
} from '../../packages/core/src/access/access-conditions.ts'
import { getGroupAccessLevel, getProjectAccessLevel } from '../../packages/core/src/access/actor-level.ts'
import { Access, groupLevels } from '../../packages/core/src/access/levels.ts'
import {
  readableEnvironments,
  readableEpics,
  readableEvents,
  readableGroups,
  readableIssues,
  readableIssuesOfProject,
  readableMergeRequests,
  readableMilestones,
  readableNotes,
  readablePackages,
  readableProjects,
  readableSnippets,
} from '../../packages/core/src/access/predicates.ts'
import { group, project } from '../../packages/core/src/access/subjects.ts'
import { isHiddenByImport } from '../../packages/core/src/access/unfinished-import.ts'
import { selectFromEvents } from '../../packages/core/src/features/collaboration/events/queries.ts'
import { readableProjectEvents } from '../../packages/core/src/features/collaboration/events/readable-project-events.ts'
import { mergeRequest } from '../../packages/core/src/features/collaboration/merge-requests/subject.ts'
import { note } from '../../packages/core/src/features/collaboration/notes/noteable.ts'
import { snippet } from '../../packages/core/src/features/collaboration/snippets/subject.ts'
import { epic } from '../../packages/core/src/features/planning/epics/subject.ts'
import { issue } from '../../packages/core/src/features/planning/issues/subject.ts'
import type { Context } from '../../packages/core/src/kernel/context.ts'
import { isPlatformError } from '../../packages/core/src/kernel/errors.ts'
import type { MaybePromise } from '../../packages/core/src/kernel/store.ts'
import { eventsOf, notesOf, toNoteableRef } from './derived-rows.ts'
import type { RandomWorld } from './random-world.ts'

type Rows = Promise<readonly { readonly id: number }[]>

/** An access rule in its two implementations: as a SQL condition, and as a check of a single object. */
export interface AccessRule {
  readonly name: string
  /** All objects of the kind, regardless of the caller. */
  all(world: RandomWorld): readonly { readonly id: number }[]
  /** The objects that the SQL condition admits. */
  admitted(ctx: Context, world: RandomWorld): Rows
  /** Whether the check of a single object admits it. */
  isAllowed(ctx: Context, id: number, world: RandomWorld): Promise<boolean>
}

/** Whether the platform permits the ability: the subject exists, is visible, and the rule allows it. */
const isPermitted = async <K extends keyof Subjects>(
  ctx: Context,
  ability: string,
  load: () => MaybePromise<Subjects[K]>,
): Promise<boolean> => {
  try {
    const subject = await load()
    const rules = policy[subject.kind] as unknown as Readonly<Record<string, Rule<unknown>>>
    const isVisible = isVisibleTo(ctx.actor, subject)
    return isVisible && (rules[ability] as Rule<unknown>).allows(ctx.actor, subject)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return false
    throw error
  }
}

const projectOf = (rows: readonly { readonly id: number; readonly projectId: number | null }[], id: number) =>
  rows.find((row) => row.id === id)?.projectId as number

const loadNote = (ctx: Context, world: RandomWorld, id: number) => {
  const item = notesOf(world).find((one) => one.id === id) as ReturnType<typeof notesOf>[number]
  return note.load(ctx, { ...toNoteableRef(item), note: id })
}

/** The conditions of `access/predicates.ts`, by name. */
export const readable: Readonly<Record<string, AccessRule>> = {
  readableProjects: {
    name: 'projects',
    all: ({ projects }) => projects,
    admitted: (ctx) => ctx.db.selectFrom('project').where(readableProjects(ctx)).select('project.id').execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'project.read', () => project.load(ctx, { project: id })),
  },
  readablePackages: {
    name: 'projects with readable packages',
    all: ({ projects }) => projects,
    admitted: (ctx) => ctx.db.selectFrom('project').where(readablePackages(ctx)).select('project.id').execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'package.read', () => project.load(ctx, { project: id })),
  },
  readableEnvironments: {
    name: 'projects with readable environments',
    all: ({ projects }) => projects,
    admitted: (ctx) => ctx.db.selectFrom('project').where(readableEnvironments(ctx)).select('project.id').execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'environment.read', () => project.load(ctx, { project: id })),
  },
  readableMilestones: {
    name: 'projects with readable milestones',
    all: ({ projects }) => projects,
    admitted: (ctx) => ctx.db.selectFrom('project').where(readableMilestones(ctx)).select('project.id').execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'milestone.read', () => project.load(ctx, { project: id })),
  },
  readableGroups: {
    name: 'groups',
    all: ({ groups }) => groups,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('namespace')
        .where('namespace.kind', '=', 'group')
        .where(readableGroups(ctx))
        .select('namespace.id')
        .execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'group.read', () => group.load(ctx, { group: id })),
  },
  readableIssues: {
    name: 'issues',
    all: ({ issues }) => issues,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.projectId')
        .where(readableIssues(ctx))
        .select('issue.id')
        .execute(),
    isAllowed: (ctx, id, { issues }) =>
      isPermitted(ctx, 'issue.read', () => issue.load(ctx, { project: projectOf(issues, id), issue: id })),
  },
  readableIssuesOfProject: {
    name: 'issues of a project',
    all: ({ issues }) => issues,
    async admitted(ctx) {
      const projects = await ctx.db.selectFrom('project').select('project.id').execute()
      const admitted: { readonly id: number }[] = []
      for (const { id } of projects) {
        const subject = await project.load(ctx, { project: id })
        if (!isVisibleTo(ctx.actor, subject) || !policy.project['issue.list'].allows(ctx.actor, subject)) continue
        const rows = ctx.db.selectFrom('issue').where('issue.projectId', '=', id)
        admitted.push(...(await rows.where(readableIssuesOfProject(ctx, subject)).select('issue.id').execute()))
      }
      return admitted
    },
    isAllowed: (ctx, id, { issues }) =>
      isPermitted(ctx, 'issue.read', () => issue.load(ctx, { project: projectOf(issues, id), issue: id })),
  },
  readableMergeRequests: {
    name: 'merge requests',
    all: ({ mergeRequests }) => mergeRequests,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('mergeRequest')
        .innerJoin('project', 'project.id', 'mergeRequest.projectId')
        .where(readableMergeRequests(ctx))
        .select('mergeRequest.id')
        .execute(),
    isAllowed: (ctx, id, { mergeRequests }) =>
      isPermitted(ctx, 'mergeRequest.read', () =>
        mergeRequest.load(ctx, { project: projectOf(mergeRequests, id), mergeRequest: id }),
      ),
  },
  readableEpics: {
    name: 'epics',
    all: ({ epics }) => epics,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('epic')
        .innerJoin('namespace', 'namespace.id', 'epic.groupId')
        .where(readableEpics(ctx))
        .select('epic.id')
        .execute(),
    isAllowed: (ctx, id, { epics }) => {
      const row = epics.find((one) => one.id === id)
      return isPermitted(ctx, 'epic.read', () => epic.load(ctx, { group: row?.groupId ?? 0, epic: id }))
    },
  },
  readableSnippets: {
    name: 'snippets',
    all: ({ snippets }) => snippets,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('snippet')
        .leftJoin('project', 'project.id', 'snippet.projectId')
        .where(readableSnippets(ctx))
        .select('snippet.id')
        .execute(),
    isAllowed: (ctx, id) => isPermitted(ctx, 'snippet.read', () => snippet.load(ctx, { snippet: id })),
  },
  readableNotes: {
    name: 'notes',
    all: notesOf,
    // The condition is for notes of readable items: it admits the internal ones among them.
    async admitted(ctx, world) {
      const notes = await ctx.db.selectFrom('note').where(readableNotes(ctx)).select('note.id').execute()
      const admitted: { readonly id: number }[] = []
      for (const { id } of notes) {
        const isItemVisible = await isPermitted(ctx, 'note.list', async () => (await loadNote(ctx, world, id)).noteable)
        if (isItemVisible) admitted.push({ id })
      }
      return admitted
    },
    isAllowed: (ctx, id, world) => isPermitted(ctx, 'note.read', () => loadNote(ctx, world, id)),
  },
  readableEvents: {
    name: 'events',
    all: eventsOf,
    admitted: (ctx) =>
      selectFromEvents(ctx.db)
        .where(readableEvents(ctx) as never)
        .select('event.id')
        .execute(),
    isAllowed: (ctx, id, world) => {
      const event = eventsOf(world).find((one) => one.id === id)
      if (!event) return Promise.resolve(false)
      const { projectId, issueId, mergeRequestId, snippetId, noteId, action } = event
      if (noteId !== null) return isPermitted(ctx, 'note.read', () => loadNote(ctx, world, noteId))
      if (issueId !== null)
        return isPermitted(ctx, 'issue.read', () => issue.load(ctx, { project: projectId, issue: issueId }))
      if (mergeRequestId !== null) {
        return isPermitted(ctx, 'mergeRequest.read', () =>
          mergeRequest.load(ctx, { project: projectId, mergeRequest: mergeRequestId }),
        )
      }
      if (snippetId !== null) return isPermitted(ctx, 'snippet.read', () => snippet.load(ctx, { snippet: snippetId }))
      return isPermitted(ctx, action === 'pushed' ? 'code.read' : 'event.list', () =>
        project.load(ctx, { project: projectId }),
      )
    },
  },
}

/** Conditions of lists in one project, which must admit the same rows. */
export const inOneProject: readonly AccessRule[] = [
  {
    ...(readable.readableEvents as AccessRule),
    name: 'events of a project',
    async admitted(ctx) {
      const projects = await ctx.db.selectFrom('project').select('project.id').execute()
      const admitted: { readonly id: number }[] = []
      for (const { id } of projects) {
        const subject = await project.load(ctx, { project: id })
        const rows = selectFromEvents(ctx.db)
          .where('event.projectId', '=', id)
          .where(readableProjectEvents(ctx, subject) as never)
        admitted.push(...(await rows.select('event.id').execute()))
      }
      return admitted
    },
  },
]

const distinct = async (rows: Rows) => [...new Map((await rows).map((row) => [row.id, row])).values()]

/** Access levels, as the set of all groups or projects and as the level on one. */
export const accessLevels: readonly AccessRule[] = [...groupLevels].flatMap((level) => [
  {
    name: `groups with access level ${level}`,
    all: ({ groups }) => groups,
    admitted: (ctx) => distinct(groupIdsWithAccess(ctx, level).execute()),
    isAllowed: async (ctx, id) => (await getGroupAccessLevel(ctx, id)) >= level,
  },
  ...[
    {
      name: `projects with access level ${level}`,
      hidesImports: false,
      admitted: (ctx: Context) => distinct(projectIdsWithAccess(ctx, level).execute()),
    },
    {
      name: `rows of projects with access level ${level}`,
      hidesImports: true,
      admitted: (ctx: Context) =>
        ctx.db.selectFrom('project').where(hasProjectAccess(ctx, level)).select('project.id').execute(),
    },
  ].map(
    ({ hidesImports, ...rule }): AccessRule => ({
      ...rule,
      all: ({ projects }) => projects,
      async isAllowed(ctx, id, { projects }) {
        const row = projects.find((one) => one.id === id)
        const isHidden = hidesImports && row !== undefined && isHiddenByImport(ctx.actor, row)
        const project = { id, namespaceId: row?.namespaceId ?? Access.none }
        return !isHidden && (await getProjectAccessLevel(ctx, project)) >= level
      },
    }),
  ),
])
