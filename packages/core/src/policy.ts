import { Access, type FeatureLevel } from './access/levels.ts'
import type { EpicRecord } from './features/epics/epic.ts'
import type { Group, Namespace } from './features/groups/group.ts'
import type { IssueRecord } from './features/issues/issue.ts'
import type { MergeRequestRecord } from './features/merge-requests/merge-request.ts'
import type { NoteRecord } from './features/notes/note.ts'
import type { Project } from './features/projects/project.ts'
import type { SnippetRecord } from './features/snippets/snippet.ts'
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
    /** The user that the call is about is the actor, where the operation has asked for it. */
    readonly self?: boolean
    /** The actor sees a project somewhere below, and so the group's own record. */
    readonly seenBelow: boolean
  }
  project: {
    readonly kind: 'project'
    readonly project: Project
    readonly access: number
    /** The user that the call is about is the actor, where the operation has asked for it. */
    readonly self?: boolean
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
  snippet: InSnippet & { readonly kind: 'snippet' }
  /** A snippet that the caller wants to change. */
  ownSnippet: InSnippet & { readonly kind: 'ownSnippet' }
  /** A group as its identity provider manages its people. */
  scimGroup: {
    readonly kind: 'scimGroup'
    readonly group: Group
    /** Single sign-on is switched on for the group. */
    readonly ssoEnabled: boolean
  }
  /** The container registry of a project. */
  registry: {
    readonly kind: 'registry'
    readonly project: Project
    readonly access: number
    /** It is switched on for the project. */
    readonly enabled: boolean
  }
  epic: { readonly kind: 'epic'; readonly group: Group; readonly access: number; readonly epic: EpicRecord }
  note: {
    readonly kind: 'note'
    /** What it hangs on. */
    readonly noteable: Noteable
    readonly access: number
    readonly note: NoteRecord
  }
}

/** What notes hang on. */
export type Noteable = Subjects['issue'] | Subjects['mergeRequest'] | Subjects['snippet'] | Subjects['epic']

interface InSnippet {
  /** Null for a personal snippet, on which `access` is 0. */
  readonly project: Project | null
  readonly access: number
  readonly snippet: SnippetRecord
}

/** Who may do one thing, on a subject of type `S`. */
export interface Rule<S> {
  /** Who it lets in: `reporters and above`. */
  readonly says: string
  /** Whether somebody who is not signed in can ever pass. */
  readonly anonymous: boolean
  /** Whether it lets this caller in. Reads nothing: everything it asks for is in the subject. */
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
const people = rule<unknown>('anybody signed in', (actor) => actor.kind === 'user' || actor.kind === 'system')
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

const creationLevels = {
  noone: Number.POSITIVE_INFINITY,
  maintainer: Access.maintainer,
  developer: Access.developer,
} as const

const projectCreators = rule<Subjects['namespace']>(
  'developers and above, or those to whom the group limits it',
  (actor, { namespace, access }) => access >= creationLevels[namespace.projectCreationLevel] || isAdministrator(actor),
)

const subgroupCreators = rule<Subjects['group']>(
  'owners, and maintainers where the group lets them',
  (actor, { group, access }) => access >= Access[group.subgroupCreationLevel] || isAdministrator(actor),
)

const unarchived = rule<InProject>('while the project is not archived', (_, { project }) => !project.archived, true)

/** Whether a part of a project that the actor can see is open to them. */
export const open = (level: FeatureLevel, access: number, actor: Actor) =>
  level === 'enabled' || (level === 'private' && (access >= Access.guest || isAdministrator(actor)))

const issuesOpen = rule<InProject>(
  'where issues are open to them',
  (actor, { project, access }) => open(project.issuesAccessLevel, access, actor),
  true,
)

/** Guests of a private project do not see its code. */
const codeReaders = rule<InProject>(
  'whoever can see the code',
  (actor, { project, access }) =>
    seen(project.visibility, access, actor) &&
    open(project.repositoryAccessLevel, access, actor) &&
    (project.visibility !== 'private' || access >= Access.reporter || isAdministrator(actor)),
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

const oneself = rule<{ readonly self?: boolean }>('the person concerned', (_, { self }) => self === true)

/** Nobody asks for what they have, nor for what is not open to being asked for. */
const requesters = rule<Subjects['project'] | Subjects['group']>(
  'anybody signed in who sees it, is no member yet and no administrator, where it takes requests',
  (actor, on) => {
    const { visibility, requestAccessEnabled } = on.kind === 'project' ? on.project : on.group
    const outside = actor.kind === 'user' && !actor.admin && on.access === Access.none
    return outside && requestAccessEnabled && visibility !== 'private'
  },
)

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

/** A project's snippet is never more visible than the snippets of its project. */
const snippetReaders = rule<InSnippet>(
  'whoever can see the snippet',
  (actor, { project, access, snippet }) =>
    (project === null ||
      (seen(project.visibility, access, actor) && open(project.snippetsAccessLevel, access, actor))) &&
    ((actor.kind === 'user' && snippet.authorId === actor.id) || seen(snippet.visibility, access, actor)),
  true,
)

/** Other people's snippets cannot be changed, by administrators either. */
const snippetAuthor = rule<InSnippet>(
  'its author',
  (actor, { snippet }) => actor.kind === 'system' || (actor.kind === 'user' && snippet.authorId === actor.id),
)

const unarchivedIfAny = rule<{ readonly project: Project | null }>(
  'while no project that has it is archived',
  (_, { project }) => !project?.archived,
  true,
)

const snippetWriters = rule<Subjects['project']>(
  'reporters and above, where snippets are open to them',
  (actor, { project, access }) =>
    (access >= Access.reporter || isAdministrator(actor)) && open(project.snippetsAccessLevel, access, actor),
)

const insiders = rule<unknown>(
  'anybody signed in who is not external',
  (actor) => actor.kind === 'system' || (actor.kind === 'user' && !actor.external),
)

const groupItself = rule<{ readonly group: Group; readonly access: number }>(
  'whoever can see the group itself',
  (actor, { group, access }) => seen(group.visibility, access, actor),
  true,
)

const epicReaders = rule<Subjects['epic']>(
  'whoever can see the epic',
  (actor, on) =>
    groupItself.holds(actor, on) &&
    (!on.epic.confidential ||
      isAdministrator(actor) ||
      on.access >= Access.reporter ||
      (actor.kind === 'user' && on.epic.authorId === actor.id)),
  true,
)

/** People never pass, administrators included. */
const scimTokens = rule<Subjects['scimGroup']>(
  'the SCIM tokens of the group',
  (actor, { group }) => actor.kind === 'system' || (actor.kind === 'scim' && actor.groupId === group.id),
)

const ssoOn = rule<Subjects['scimGroup']>('while single sign-on is enabled', (_, { ssoEnabled }) => ssoEnabled)

/** Guests of a private project see no more of its images than of its code. */
const registryReaders = rule<InProject>(
  'whoever can see the project, reporters and above where it is private',
  (actor, { project, access }) =>
    seen(project.visibility, access, actor) &&
    (project.visibility !== 'private' || access >= Access.reporter || isAdministrator(actor)),
  true,
)

const registryOn = rule<Subjects['registry']>(
  'while the container registry is switched on',
  (_, { enabled }) => enabled,
  true,
)

const isLocked = (on: Noteable): boolean =>
  (on.kind === 'issue' && on.issue.discussionLocked) || (on.kind === 'mergeRequest' && on.mergeRequest.discussionLocked)

const unlocked = rule<Noteable>(
  'members only where the discussion is locked',
  (actor, on) => !isLocked(on) || on.access >= Access.guest || isAdministrator(actor),
)

const noteReaders = rule<Subjects['note']>(
  'whoever can see what it hangs on',
  (actor, { noteable }) => (visible[noteable.kind] as Rule<Noteable>).holds(actor, noteable),
  true,
)

const noteAuthor = rule<Subjects['note']>(
  'its author',
  (actor, { note }) => actor.kind === 'user' && note.authorId === actor.id,
)

/** Records of changes are changed by nobody, and everything else only where a new note could be written. */
const openNote = rule<Subjects['note']>(
  'where it is a comment and new ones could be written',
  (actor, { note, noteable }) =>
    !note.system &&
    unlocked.holds(actor, noteable) &&
    (noteable.kind === 'epic' || unarchivedIfAny.holds(actor, noteable)),
)

/** Every permission there is, grouped by what it is granted on. Nothing outside this file decides who may do what. */
export const policy = {
  instance: {
    'user.current': people,
    'project.list': anyone,
    'group.list': anyone,
    'user.find': people,
    'version.read': people,
    'markdown.render': anyone,
    'user.manage': administrators,
    'token.manage': administrators,
    'group.create': people,
    'snippet.list': people,
    'event.listOwn': people,
    'event.list': anyone,
    'todo.own': people,
    'notification.own': people,
    'snippet.listPublic': anyone,
    'snippet.create': insiders,
    'snippet.trace': administrators,
    'customAttribute.manage': administrators,
    'key.manage': administrators,
    'replicaNode.manage': administrators,
    'settings.manage': administrators,
    'pagesDomain.listAll': administrators,
    'registry.discover': administrators,
    'issue.count': people,
  },
  namespace: {
    'project.create': projectCreators,
  },
  group: {
    'group.read': groupReaders,
    'group.update': role('owner'),
    'group.remove': role('owner'),
    'group.create': subgroupCreators,
    'runner.register': role('owner'),
    'member.read': signedIn(groupReaders),
    'member.manage': role('owner'),
    'member.end': either<Subjects['group']>(role('owner'), oneself),
    'member.override': role('owner'),
    'member.sync': administrators,
    'accessRequest.manage': role('owner'),
    'accessRequest.create': requesters,
    'accessRequest.end': either<Subjects['group']>(role('owner'), oneself),
    'share.manage': role('owner'),
    'sso.manage': administrators,
    'milestone.read': groupReaders,
    'milestone.manage': role('reporter'),
    'label.read': groupReaders,
    'label.manage': role('reporter'),
    'epic.list': groupItself,
    'issue.count': signedIn(groupReaders),
    'notification.manage': signedIn(groupReaders),
    'epic.create': role('reporter'),
    'registry.read': role('reporter'),
  },
  project: {
    'project.read': projectReaders,
    'event.list': projectReaders,
    'code.read': codeReaders,
    'code.push': both(role('developer'), both(codeReaders, unarchived)),
    'release.read': codeReaders,
    'release.manage': both(role('developer'), both(codeReaders, unarchived)),
    'upload.read': projectReaders,
    'upload.create': both(role('guest'), unarchived),
    'upload.manage': role('maintainer'),
    'repository.create': both(role('maintainer'), unarchived),
    'repository.import': administrators,
    'notification.manage': signedIn(projectReaders),
    'markdown.render': projectReaders,
    'project.update': role('maintainer'),
    'project.star': signedIn(projectReaders),
    'project.measure': administrators,
    'project.archive': role('owner'),
    'project.remove': role('owner'),
    'member.read': signedIn(projectReaders),
    'member.manage': role('maintainer'),
    'member.end': either<Subjects['project']>(role('maintainer'), oneself),
    'accessRequest.manage': role('maintainer'),
    'accessRequest.create': requesters,
    'accessRequest.end': either<Subjects['project']>(role('maintainer'), oneself),
    'share.manage': role('maintainer'),
    'label.read': projectReaders,
    'label.subscribe': signedIn(projectReaders),
    'label.manage': both(role('reporter'), unarchived),
    'label.promote': both(promoters, unarchived),
    'milestone.read': projectReaders,
    'milestone.manage': both(role('reporter'), unarchived),
    'issue.list': both(projectReaders, issuesOpen),
    'issue.count': signedIn(projectReaders),
    'issue.create': both(signedIn(projectReaders), both(issuesOpen, unarchived)),
    'issue.triage': both(role('reporter'), unarchived),
    'mergeRequest.list': both(projectReaders, mergeRequestsOpen),
    'mergeRequest.create': both(role('developer'), both(mergeRequestsOpen, unarchived)),
    'snippet.create': both(snippetWriters, unarchived),
    'environment.read': role('reporter'),
    'environment.manage': both(role('developer'), unarchived),
    'deployment.create': both(role('developer'), unarchived),
    'protectedEnvironment.manage': role('maintainer'),
    'errorTracking.manage': role('maintainer'),
    'deployKey.manage': role('maintainer'),
    'pagesDomain.read': role('maintainer'),
    'pagesDomain.manage': both(role('maintainer'), unarchived),
    'mirror.manage': role('maintainer'),
    'dependency.list': signedIn(codeReaders),
    'dependency.readVulnerabilities': role('developer'),
    'dependency.report': both(role('developer'), unarchived),
  },
  issue: {
    'issue.read': issueReaders,
    'todo.mark': signedIn(issueReaders),
    'todo.open': administrators,
    'notification.tell': administrators,
    'issue.update': both(either<Subjects['issue']>(role('reporter'), issueAuthor), unarchived),
    'issue.triage': both(role('reporter'), unarchived),
    'issue.remove': both(role('owner'), unarchived),
    'emoji.award': both(signedIn(issueReaders), unarchived),
    'note.list': issueReaders,
    'note.create': both(signedIn(issueReaders), both<Subjects['issue']>(unlocked, unarchived)),
    'note.backdate': role('owner'),
  },
  mergeRequest: {
    'mergeRequest.read': mergeRequestReaders,
    'todo.mark': signedIn(mergeRequestReaders),
    'todo.open': administrators,
    'notification.tell': administrators,
    'mergeRequest.update': both(either<Subjects['mergeRequest']>(role('developer'), mergeRequestAuthor), unarchived),
    'mergeRequest.merge': both(role('developer'), unarchived),
    'mergeRequest.approve': both(role('developer'), unarchived),
    'discussion.resolve': both(either<Subjects['mergeRequest']>(role('developer'), mergeRequestAuthor), unarchived),
    'emoji.award': both(signedIn(mergeRequestReaders), unarchived),
    'note.list': mergeRequestReaders,
    'note.create': both(signedIn(mergeRequestReaders), both<Subjects['mergeRequest']>(unlocked, unarchived)),
    'note.backdate': role('owner'),
  },
  snippet: {
    'snippet.read': snippetReaders,
    'note.list': snippetReaders,
    'note.create': both(signedIn(snippetReaders), unarchivedIfAny),
    'note.backdate': role('owner'),
  },
  ownSnippet: {
    'snippet.update': both(snippetAuthor, unarchivedIfAny),
  },
  scimGroup: {
    'scim.provision': both(scimTokens, ssoOn),
  },
  registry: {
    'registry.read': both(registryReaders, registryOn),
    'registry.push': both(role('developer'), both(registryOn, unarchived)),
    'registry.untag': both(role('developer'), both(registryOn, unarchived)),
    'registry.clean': both(role('maintainer'), both(registryOn, unarchived)),
  },
  epic: {
    'epic.read': epicReaders,
    'todo.mark': signedIn(epicReaders),
    'todo.open': administrators,
    'notification.tell': administrators,
    'epic.update': role('reporter'),
    'note.list': epicReaders,
    'note.create': signedIn(epicReaders),
    'note.backdate': role('owner'),
  },
  note: {
    'note.read': noteReaders,
    'note.update': both(either<Subjects['note']>(noteAuthor, role('maintainer')), openNote),
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
  snippet: snippetReaders,
  ownSnippet: both(snippetReaders, snippetAuthor),
  scimGroup: scimTokens,
  registry: projectReaders,
  epic: epicReaders,
  note: noteReaders,
}

/** What a missing or invisible subject is called; kinds without a word are rows that have no name of their own. */
export const subjectNames: { readonly [K in keyof Subjects]?: string } = {
  namespace: 'Namespace',
  group: 'Group',
  project: 'Project',
  snippet: 'Snippet',
  ownSnippet: 'Snippet',
  scimGroup: 'Group',
  registry: 'Project',
}

/** Whether the actor has an ability, for the few operations where a part of the input needs one of its own. */
export const may = <K extends keyof Subjects>(
  actor: Actor,
  subject: Subjects[K] & { readonly kind: K },
  ability: keyof (typeof policy)[K] & string,
): boolean =>
  (policy[subject.kind] as unknown as Record<string, Rule<Subjects[K]>>)[ability]?.holds(actor, subject) ?? false
