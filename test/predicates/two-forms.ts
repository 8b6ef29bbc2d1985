import { policy, type Rule, type Subjects, visible } from '@forgelet/core/policy'
import { Access, groupLevels } from '../../packages/core/src/access/levels.ts'
import { accessToGroup, accessToProject } from '../../packages/core/src/access/membership.ts'
import {
  groupsAt,
  projectsAt,
  readableEpics,
  readableEvents,
  readableGroups,
  readableIssues,
  readableMergeRequests,
  readableProjects,
  readableSnippets,
} from '../../packages/core/src/access/predicates.ts'
import { group, project } from '../../packages/core/src/access/subjects.ts'
import { epic } from '../../packages/core/src/features/epics/subject.ts'
import { readableInProject } from '../../packages/core/src/features/events/readable-in-project.ts'
import { issue } from '../../packages/core/src/features/issues/subject.ts'
import { mergeRequest } from '../../packages/core/src/features/merge-requests/subject.ts'
import { snippet } from '../../packages/core/src/features/snippets/subject.ts'
import type { Context } from '../../packages/core/src/kernel/context.ts'
import { isPlatformError } from '../../packages/core/src/kernel/errors.ts'
import type { Soon } from '../../packages/core/src/kernel/store.ts'
import { eventsOf } from './derived-rows.ts'
import type { RandomWorld } from './random-world.ts'

type Rows = Promise<readonly { readonly id: number }[]>

/** One rule in its two forms: as a condition on rows, and asked of each thing by itself. */
export interface TwoForms {
  readonly name: string
  /** Everything there is, whoever asks. */
  all(world: RandomWorld): readonly { readonly id: number }[]
  admitted(ctx: Context): Rows
  judged(ctx: Context, id: number, world: RandomWorld): Promise<boolean>
}

/** What the platform would say: the thing is found, it may be seen, and the rule holds. */
const may = async <K extends keyof Subjects>(
  ctx: Context,
  ability: string,
  load: () => Soon<Subjects[K]>,
): Promise<boolean> => {
  try {
    const subject = await load()
    const rules = policy[subject.kind] as unknown as Readonly<Record<string, Rule<unknown>>>
    const isVisible = (visible[subject.kind] as Rule<unknown>).holds(ctx.actor, subject)
    return isVisible && (rules[ability] as Rule<unknown>).holds(ctx.actor, subject)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return false
    throw error
  }
}

const homeOf = (things: readonly { readonly id: number; readonly projectId: number | null }[], id: number) =>
  things.find((thing) => thing.id === id)?.projectId as number

/** The conditions of `access/predicates.ts`, under their names there. */
export const readable: Readonly<Record<string, TwoForms>> = {
  readableProjects: {
    name: 'projects',
    all: ({ projects }) => projects,
    admitted: (ctx) => ctx.db.selectFrom('project').where(readableProjects(ctx)).select('project.id').execute(),
    judged: (ctx, id) => may(ctx, 'project.read', () => project.load(ctx, { project: id })),
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
    judged: (ctx, id) => may(ctx, 'group.read', () => group.load(ctx, { group: id })),
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
    judged: (ctx, id, { issues }) =>
      may(ctx, 'issue.read', () => issue.load(ctx, { project: homeOf(issues, id), issue: id })),
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
    judged: (ctx, id, { mergeRequests }) =>
      may(ctx, 'mergeRequest.read', () =>
        mergeRequest.load(ctx, { project: homeOf(mergeRequests, id), mergeRequest: id }),
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
    judged: (ctx, id, { epics }) => {
      const found = epics.find((one) => one.id === id)
      return may(ctx, 'epic.read', () => epic.load(ctx, { group: found?.groupId ?? 0, epic: id }))
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
    judged: (ctx, id) => may(ctx, 'snippet.read', () => snippet.load(ctx, { snippet: id })),
  },
  readableEvents: {
    name: 'events',
    all: eventsOf,
    admitted: (ctx) =>
      ctx.db
        .selectFrom('event')
        .innerJoin('project', 'project.id', 'event.projectId')
        .where(readableEvents(ctx))
        .select('event.id')
        .execute(),
    judged: (ctx, id, world) => {
      const event = eventsOf(world).find((one) => one.id === id)
      if (!event) return Promise.resolve(false)
      const { projectId, issueId, mergeRequestId, snippetId, action } = event
      if (issueId !== null) return may(ctx, 'issue.read', () => issue.load(ctx, { project: projectId, issue: issueId }))
      if (mergeRequestId !== null) {
        return may(ctx, 'mergeRequest.read', () =>
          mergeRequest.load(ctx, { project: projectId, mergeRequest: mergeRequestId }),
        )
      }
      if (snippetId !== null) return may(ctx, 'snippet.read', () => snippet.load(ctx, { snippet: snippetId }))
      return may(ctx, action === 'pushed' ? 'code.read' : 'event.list', () => project.load(ctx, { project: projectId }))
    },
  },
}

/** Conditions that lists of one place take instead, where they must admit the same rows. */
export const inOnePlace: readonly TwoForms[] = [
  {
    ...(readable.readableEvents as TwoForms),
    name: 'events of a project',
    async admitted(ctx) {
      const places = await ctx.db.selectFrom('project').select('project.id').execute()
      const found: { readonly id: number }[] = []
      for (const { id } of places) {
        const rows = ctx.db
          .selectFrom('event')
          .innerJoin('project', 'project.id', 'event.projectId')
          .where('event.projectId', '=', id)
          .where(readableInProject(ctx, await project.load(ctx, { project: id })))
        found.push(...(await rows.select('event.id').execute()))
      }
      return found
    },
  },
]

const distinct = async (rows: Rows) => [...new Map((await rows).map((row) => [row.id, row])).values()]

/** Levels held, as the set of all places and as the answer for one. */
export const held: readonly TwoForms[] = [...groupLevels].flatMap((level) => [
  {
    name: `groups held at ${level}`,
    all: ({ groups }) => groups,
    admitted: (ctx) => distinct(groupsAt(ctx, level).execute()),
    judged: async (ctx, id) => (await accessToGroup(ctx, id)) >= level,
  },
  {
    name: `projects held at ${level}`,
    all: ({ projects }) => projects,
    admitted: (ctx) => distinct(projectsAt(ctx, level).execute()),
    async judged(ctx, id, { projects }) {
      const found = projects.find((one) => one.id === id)
      return (await accessToProject(ctx, { id, namespaceId: found?.namespaceId ?? Access.none })) >= level
    },
  } satisfies TwoForms,
])
