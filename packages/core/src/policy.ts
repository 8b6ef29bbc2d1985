import { Access, type FeatureLevel } from './access/levels.ts'
import type { Group, Namespace } from './features/groups/group.ts'
import type { IssueRecord } from './features/issues/issue.ts'
import type { MergeRequestRecord } from './features/merge-requests/merge-request.ts'
import type { Project } from './features/projects/project.ts'
import { type Actor, isAdministrator } from './kernel/actor.ts'

/** What permissions are granted on. `access` is the actor's level there, inherited and shared memberships included. */
export interface Subjects {
  instance: { readonly kind: 'instance' }
  /** Where projects are put: a group, or the personal namespace of a user, whose owner has level 50 there. */
  namespace: { readonly kind: 'namespace'; readonly namespace: Namespace; readonly access: number }
  group: {
    readonly kind: 'group'
    readonly group: Group
    readonly access: number
    /** The actor sees a project somewhere below, and so the group's own record. */
    readonly seenBelow: boolean
  }
  project: {
    readonly kind: 'project'
    readonly project: Project
    readonly access: number
    /** The actor's level on the project's group, where the operation has asked for it; absent in a personal namespace. */
    readonly groupAccess?: number
  }
  issue: {
    readonly kind: 'issue'
    readonly project: Project
    readonly access: number
    readonly issue: IssueRecord
    /** The actor is an assignee. */
    readonly assigned: boolean
  }
  mergeRequest: {
    readonly kind: 'mergeRequest'
    readonly project: Project
    readonly access: number
    readonly mergeRequest: MergeRequestRecord
  }
}

export interface Rule<S> {
  /** Who it lets in: `reporters and above`. */
  readonly says: string
  /** Whether somebody who is not signed in can ever pass. */
  readonly anonymous: boolean
  holds(actor: Actor, on: S): boolean
}

type InProject = { readonly project: Project; readonly access: number }

const rule = <S>(says: string, holds: Rule<S>['holds'], anonymous = false): Rule<S> => ({ says, anonymous, holds })

/** Both hold. */
const both = <S>(first: Rule<S>, second: Rule<S>, says = `${first.says}, ${second.says}`): Rule<S> =>
  rule(says, (actor, on) => first.holds(actor, on) && second.holds(actor, on), first.anonymous && second.anonymous)

const either = <S>(first: Rule<S>, second: Rule<S>): Rule<S> =>
  rule(
    `${first.says}, or ${second.says}`,
    (actor, on) => first.holds(actor, on) || second.holds(actor, on),
    first.anonymous || second.anonymous,
  )

const anyone = rule<unknown>('anyone', () => true, true)
const people = rule<unknown>('anybody signed in', (actor) => actor.kind !== 'nobody')
const administrators = rule<unknown>('administrators', isAdministrator)

const role = (name: Exclude<keyof typeof Access, 'none'>) =>
  rule<{ readonly access: number }>(
    name === 'owner' ? 'owners' : `${name}s and above`,
    (actor, { access }) => access >= Access[name] || isAdministrator(actor),
  )

const seen = (visibility: 'private' | 'internal' | 'public', access: number, actor: Actor) =>
  visibility === 'public' ||
  access >= Access.guest ||
  isAdministrator(actor) ||
  (visibility === 'internal' && actor.kind === 'user' && !actor.external)

const projectReaders = rule<InProject>(
  'whoever can see the project',
  (actor, { project, access }) => seen(project.visibility, access, actor),
  true,
)

const groupReaders = rule<Subjects['group']>(
  'whoever can see the group or a project below it',
  (actor, { group, access, seenBelow }) => seenBelow || seen(group.visibility, access, actor),
  true,
)

const namespaceReaders = rule<Subjects['namespace']>(
  'whoever can see the namespace',
  (actor, { namespace, access }) => namespace.kind === 'user' || seen(namespace.visibility, access, actor),
  true,
)

const unarchived = rule<InProject>('while the project is not archived', (_, { project }) => !project.archived, true)

const open = (level: FeatureLevel, access: number, actor: Actor) =>
  level === 'enabled' || (level === 'private' && (access >= Access.guest || isAdministrator(actor)))

const issuesOpen = rule<InProject>(
  'where issues are open to them',
  (actor, { project, access }) => open(project.issuesAccessLevel, access, actor),
  true,
)

/** Merge requests go with the code: guests of a private project see neither. */
const mergeRequestsOpen = rule<InProject>(
  'where merge requests and code are open to them',
  (actor, { project, access }) =>
    open(project.mergeRequestsAccessLevel, access, actor) &&
    open(project.repositoryAccessLevel, access, actor) &&
    (project.visibility !== 'private' || access >= Access.reporter || isAdministrator(actor)),
  true,
)

const signedIn = <S>(base: Rule<S>): Rule<S> => both(base, people as Rule<S>, `${base.says}, signed in`)

const promoters = rule<Subjects['project']>(
  'reporters and above of both the project and its group',
  (actor, { access, groupAccess }) =>
    isAdministrator(actor) ||
    (access >= Access.reporter && (groupAccess === undefined || groupAccess >= Access.reporter)),
)

const issueReaders = rule<Subjects['issue']>(
  'whoever can see the issue',
  (actor, on) =>
    projectReaders.holds(actor, on) &&
    issuesOpen.holds(actor, on) &&
    (!on.issue.confidential ||
      isAdministrator(actor) ||
      on.access >= Access.reporter ||
      (actor.kind === 'user' && (on.assigned || on.issue.authorId === actor.id))),
  true,
)

const issueAuthor = rule<Subjects['issue']>(
  'its author',
  (actor, { issue }) => actor.kind === 'user' && issue.authorId === actor.id,
)

const mergeRequestReaders = rule<Subjects['mergeRequest']>(
  'whoever can see the merge request',
  (actor, on) => projectReaders.holds(actor, on) && mergeRequestsOpen.holds(actor, on),
  true,
)

const mergeRequestAuthor = rule<Subjects['mergeRequest']>(
  'its author',
  (actor, { mergeRequest }) => actor.kind === 'user' && mergeRequest.authorId === actor.id,
)

/** Every permission there is, grouped by what it is granted on. Nothing outside this file decides who may do what. */
export const policy = {
  instance: {
    'user.current': people,
    'project.list': anyone,
    'user.manage': administrators,
    'token.manage': administrators,
    'group.create': people,
  },
  namespace: {
    'project.create': role('maintainer'),
  },
  group: {
    'group.read': groupReaders,
    'group.update': role('owner'),
    'group.remove': role('owner'),
    'group.create': role('owner'),
    'member.read': signedIn(groupReaders),
    'member.manage': role('owner'),
    'share.manage': role('owner'),
    'milestone.read': groupReaders,
    'milestone.manage': role('reporter'),
    'label.read': groupReaders,
    'label.manage': role('reporter'),
  },
  project: {
    'project.read': projectReaders,
    'project.update': role('maintainer'),
    'project.archive': role('owner'),
    'project.remove': role('owner'),
    'member.read': signedIn(projectReaders),
    'member.manage': role('maintainer'),
    'share.manage': role('maintainer'),
    'label.read': projectReaders,
    'label.subscribe': signedIn(projectReaders),
    'label.manage': both(role('reporter'), unarchived),
    'label.promote': both(promoters, unarchived),
    'milestone.read': projectReaders,
    'milestone.manage': both(role('reporter'), unarchived),
    'issue.list': both(projectReaders, issuesOpen),
    'issue.create': both(signedIn(projectReaders), both(issuesOpen, unarchived)),
    'issue.triage': both(role('reporter'), unarchived),
    'mergeRequest.list': both(projectReaders, mergeRequestsOpen),
    'mergeRequest.create': both(role('developer'), both(mergeRequestsOpen, unarchived)),
  },
  issue: {
    'issue.read': issueReaders,
    'issue.update': both(either<Subjects['issue']>(role('reporter'), issueAuthor), unarchived),
    'issue.triage': both(role('reporter'), unarchived),
    'issue.remove': both(role('owner'), unarchived),
    'emoji.award': both(signedIn(issueReaders), unarchived),
  },
  mergeRequest: {
    'mergeRequest.read': mergeRequestReaders,
    'mergeRequest.update': both(either<Subjects['mergeRequest']>(role('developer'), mergeRequestAuthor), unarchived),
    'mergeRequest.merge': both(role('developer'), unarchived),
    'emoji.award': both(signedIn(mergeRequestReaders), unarchived),
  },
} satisfies { [K in keyof Subjects]: Record<string, Rule<Subjects[K]>> }

/** Who may know that the subject exists. Everyone else is told `not_found`, in the words for a missing one. */
export const visible: { readonly [K in keyof Subjects]: Rule<Subjects[K]> } = {
  instance: anyone,
  namespace: namespaceReaders,
  group: groupReaders,
  project: projectReaders,
  issue: issueReaders,
  mergeRequest: mergeRequestReaders,
}

/** What a missing or invisible subject is called; kinds without a word are rows that have no name of their own. */
export const subjectNames: { readonly [K in keyof Subjects]?: string } = {
  namespace: 'Namespace',
  group: 'Group',
  project: 'Project',
}

/** Whether the actor has an ability, for the few operations where a part of the input needs one of its own. */
export const may = <K extends keyof Subjects>(
  actor: Actor,
  subject: Subjects[K] & { readonly kind: K },
  ability: keyof (typeof policy)[K] & string,
): boolean => (policy[subject.kind] as unknown as Record<string, Rule<Subjects[K]>>)[ability]?.holds(actor, subject) ?? false
