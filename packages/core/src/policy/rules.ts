import { Access, type FeatureLevel, type RestrictableFeature, type Visibility } from '../access/levels.ts'
import { isHiddenByImport } from '../access/unfinished-import.ts'
import type { Group } from '../contract/namespace.ts'
import type { Project } from '../contract/project.ts'
import type { Noteable, SnippetSubject, Subjects } from '../contract/subjects.ts'
import { type Actor, getSshKeyId, isAdministrator } from '../kernel/actor.ts'
import { both, either, type Rule, rule } from './rule.ts'

type ProjectSubject = { readonly project: Project; readonly access: number }

export const anyone = rule<unknown>('anyone', () => true, true)
export const signedInUsers = rule<unknown>(
  'signed-in users',
  (actor) => actor.kind === 'user' || actor.kind === 'system',
)
export const administrators = rule<unknown>('administrators', isAdministrator)
export const sshKeys = rule<unknown>(
  'callers with an SSH key',
  (actor) => actor.kind === 'system' || getSshKeyId(actor) !== undefined,
)
export const signInService = rule<unknown>(
  'the host, and the sign-in service',
  (actor) => actor.kind === 'system' || actor.kind === 'service',
)

export const role = (name: Exclude<keyof typeof Access, 'none'>) =>
  rule<{ readonly access: number }>(
    name === 'owner' ? 'owners' : `${name}s and above`,
    (actor, { access }) => access >= Access[name] || isAdministrator(actor),
  )

const isReporter = (access: number, actor: Actor) => access >= Access.reporter || isAdministrator(actor)

const isVisible = (visibility: Visibility, access: number, actor: Actor) =>
  visibility === 'public' ||
  access >= Access.guest ||
  isAdministrator(actor) ||
  (visibility === 'internal' && actor.kind === 'user' && !actor.external)

/** Of a project or a group. */
const isContainerVisible = (container: Project | Group, access: number, actor: Actor) =>
  isVisible(container.visibility, access, actor) && !isHiddenByImport(actor, container)

export const projectReaders = rule<ProjectSubject>(
  'users who can see the project',
  (actor, { project, access }) => isContainerVisible(project, access, actor),
  true,
)

export const groupReaders = rule<Omit<Subjects['group'], 'kind'>>(
  'users who can see the group or a project in it',
  (actor, { group, access, hasVisibleProject }) =>
    (hasVisibleProject || isVisible(group.visibility, access, actor)) && !isHiddenByImport(actor, group),
  true,
)

export const namespaceReaders = rule<Subjects['namespace']>(
  'users who can see the namespace',
  (actor, { namespace, access }) => namespace.kind === 'user' || isContainerVisible(namespace, access, actor),
  true,
)

const creationLevels = {
  noone: Number.POSITIVE_INFINITY,
  administrator: Number.POSITIVE_INFINITY,
  owner: Access.owner,
  maintainer: Access.maintainer,
  developer: Access.developer,
} as const

export const projectCreators = rule<Subjects['namespace']>(
  'the roles that may create projects in the group (developers and above by default); external users only in groups',
  (actor, { namespace, access }) =>
    isAdministrator(actor) ||
    (access >= creationLevels[namespace.projectCreationLevel] &&
      (namespace.kind === 'group' || nonExternalUsers.allows(actor, namespace))),
)

export const subgroupCreators = rule<Subjects['group']>(
  'owners, and maintainers where the group allows it',
  (actor, { group, access }) => access >= Access[group.subgroupCreationLevel] || isAdministrator(actor),
)

/** The project or group of a subject; of a note, that of its item. Null for what belongs to a user. */
const containerOf = (on: Subjects[keyof Subjects]): Project | Group | null => {
  if (on.kind === 'note') return containerOf(on.noteable)
  if ('project' in on) return on.project
  if ('group' in on) return on.group
  return 'namespace' in on ? on.namespace : null
}

export const notArchived = rule<unknown>(
  'while the project or group is not archived',
  (_, on) => !containerOf(on as Subjects[keyof Subjects])?.archived,
  true,
)

/** Whether the actor can use a feature of a project that they can see. */
export const isFeatureEnabled = (level: FeatureLevel, access: number, actor: Actor) =>
  level === 'enabled' || (level === 'private' && (access >= Access.guest || isAdministrator(actor)))

export const issuesEnabled = rule<ProjectSubject>(
  'where they have access to issues',
  (actor, { project, access }) => isFeatureEnabled(project.issuesAccessLevel, access, actor),
  true,
)

/**
 * Whether the actor can read the code of a project that they can see. Only reporters and above read code that is restricted
 * to members, by its own level or by the visibility of the project.
 */
const isCodeEnabled = ({ project, access }: ProjectSubject, actor: Actor) => {
  const openToEveryone = project.repositoryAccessLevel === 'enabled' && project.visibility !== 'private'
  return openToEveryone || (project.repositoryAccessLevel !== 'disabled' && isReporter(access, actor))
}

export const codeReaders = rule<ProjectSubject>(
  'users who can see the code',
  (actor, on) => isContainerVisible(on.project, on.access, actor) && isCodeEnabled(on, actor),
  true,
)

export const repositoryEnabled = rule<ProjectSubject>(
  'while the repository is enabled',
  (_, { project }) => project.repositoryAccessLevel !== 'disabled',
  true,
)

/** Adds to a rule that the level of the feature permits its use. */
export const withFeature = <S extends ProjectSubject>(feature: RestrictableFeature, base: Rule<S>): Rule<S> =>
  both(
    base,
    rule<S>(
      'where they have access to the feature',
      (actor, { project, access }) => {
        const level = project.restrictedFeatures?.[feature] ?? 'enabled'
        return level === 'public' || isFeatureEnabled(level, access, actor)
      },
      true,
    ),
  )

const pipelineLevels = {
  everyone: Access.none,
  members: Access.guest,
  reporters: Access.reporter,
  nobody: Number.POSITIVE_INFINITY,
} as const

/** Pipelines are not more visible than the repository, but guests of a private project see them. */
const isPipelineVisible = ({ project, access }: ProjectSubject, actor: Actor) => {
  const { pipelineReaders, repositoryAccessLevel } = project
  const isDisabled = pipelineReaders === 'nobody' || repositoryAccessLevel === 'disabled'
  const least = repositoryAccessLevel === 'private' ? Access.guest : Access.none
  return !isDisabled && (isAdministrator(actor) || access >= Math.max(least, pipelineLevels[pipelineReaders]))
}

export const pipelineReaders = rule<ProjectSubject>(
  'users who can see pipelines',
  (actor, on) => isContainerVisible(on.project, on.access, actor) && isPipelineVisible(on, actor),
  true,
)

export const mergeRequestsEnabled = rule<ProjectSubject>(
  'where they have access to merge requests and code',
  (actor, on) => isFeatureEnabled(on.project.mergeRequestsAccessLevel, on.access, actor) && isCodeEnabled(on, actor),
  true,
)

export const milestonesEnabled = either<ProjectSubject>(issuesEnabled, mergeRequestsEnabled)

export const self = rule<{ readonly self?: boolean }>('the user themselves', (_, { self }) => self === true)

/** Users who have no access yet, on projects and groups that accept access requests and are not private. */
export const accessRequesters = rule<Subjects['project'] | Subjects['group']>(
  'signed-in users who are neither members nor administrators, where access requests are enabled',
  (actor, on) => {
    const { visibility, requestAccessEnabled } = on.kind === 'project' ? on.project : on.group
    const isNonMember = actor.kind === 'user' && !actor.admin && on.access === Access.none
    return isNonMember && requestAccessEnabled && visibility !== 'private'
  },
)

export const labelPromoters = rule<Subjects['project']>(
  'reporters and above of both the project and its group',
  (actor, { access, groupAccess }) =>
    isAdministrator(actor) ||
    (access >= Access.reporter && (groupAccess === undefined || groupAccess >= Access.reporter)),
)

export const issueReaders = rule<Subjects['issue']>(
  'users who can see the issue',
  (actor, on) =>
    projectReaders.allows(actor, on) &&
    issuesEnabled.allows(actor, on) &&
    (!on.issue.confidential ||
      isReporter(on.access, actor) ||
      (actor.kind === 'user' && (on.isAssignee || on.issue.authorId === actor.id))),
  true,
)

export const issueAuthor = rule<Subjects['issue']>(
  'its author',
  (actor, { issue }) => actor.kind === 'user' && issue.authorId === actor.id,
)

export const commitCommentAuthor = rule<Subjects['commitComment']>(
  'its author',
  (actor, { comment }) => actor.kind === 'user' && comment.authorId === actor.id,
)

export const mergeRequestReaders = rule<Subjects['mergeRequest']>(
  'users who can see the merge request',
  (actor, on) => projectReaders.allows(actor, on) && mergeRequestsEnabled.allows(actor, on),
  true,
)

export const mergeRequestAuthor = rule<Subjects['mergeRequest']>(
  'its author',
  (actor, { mergeRequest }) => actor.kind === 'user' && mergeRequest.authorId === actor.id,
)

/** A project snippet also requires access to the snippets of its project. */
export const snippetReaders = rule<SnippetSubject>(
  'users who can see the snippet',
  (actor, { project, access, snippet }) =>
    (project === null ||
      (isContainerVisible(project, access, actor) && isFeatureEnabled(project.snippetsAccessLevel, access, actor))) &&
    ((actor.kind === 'user' && snippet.authorId === actor.id) || isVisible(snippet.visibility, access, actor)),
  true,
)

/** Administrators cannot change the snippets of other users either. */
export const snippetAuthor = rule<SnippetSubject>(
  'its author',
  (actor, { snippet }) => actor.kind === 'system' || (actor.kind === 'user' && snippet.authorId === actor.id),
)

export const snippetMaintainers = rule<SnippetSubject>(
  'maintainers of its project',
  (actor, { project, access }) => project !== null && (access >= Access.maintainer || isAdministrator(actor)),
)

export const snippetWriters = rule<Subjects['project']>(
  'reporters and above, where they have access to snippets',
  (actor, { project, access }) =>
    isReporter(access, actor) && isFeatureEnabled(project.snippetsAccessLevel, access, actor),
)

export const nonExternalUsers = rule<unknown>(
  'signed-in users who are not external',
  (actor) => actor.kind === 'system' || (actor.kind === 'user' && !actor.external),
)

/** Bots of project and group access tokens. The host application acts for them. */
export const bots = rule<unknown>(
  'bots of access tokens',
  (actor) => actor.kind === 'system' || (actor.kind === 'user' && actor.bot),
)

/** The tokens and groups that a bot creates would not end with its own token. */
export const nonBots = rule<unknown>(
  'except bots of access tokens',
  (actor) => actor.kind !== 'user' || !actor.bot,
  true,
)

export const directGroupReaders = rule<{ readonly group: Group; readonly access: number }>(
  'users who can see the group itself',
  (actor, { group, access }) => isContainerVisible(group, access, actor),
  true,
)

export const epicReaders = rule<Subjects['epic']>(
  'users who can see the epic',
  (actor, on) =>
    directGroupReaders.allows(actor, on) &&
    (!on.epic.confidential || isReporter(on.access, actor) || (actor.kind === 'user' && on.epic.authorId === actor.id)),
  true,
)

/** Never allows users, not even administrators. */
export const scimTokens = rule<Subjects['scimGroup']>(
  'the SCIM tokens of the group',
  (actor, { group }) => actor.kind === 'system' || (actor.kind === 'scim' && actor.groupId === group.id),
)

export const whenSsoEnabled = rule<Subjects['scimGroup']>(
  'while single sign-on is enabled',
  (_, { ssoEnabled }) => ssoEnabled,
)

export const wikiEnabled = rule<{ readonly access: number; readonly accessLevel: FeatureLevel }>(
  'where they have access to the wiki',
  (actor, { access, accessLevel }) => isFeatureEnabled(accessLevel, access, actor),
  true,
)

/** Guests of a private project can see neither its code, nor its images and packages. */
export const registryReaders = rule<ProjectSubject>(
  'users who can see the project, reporters and above where it is private',
  (actor, { project, access }) =>
    isContainerVisible(project, access, actor) && (project.visibility !== 'private' || isReporter(access, actor)),
  true,
)

export const packageReaders = rule<ProjectSubject>(
  'users who can see the project, reporters and above where it is private and its packages are not public',
  (actor, on) =>
    on.project.restrictedFeatures?.packageRegistry === 'public'
      ? projectReaders.allows(actor, on)
      : registryReaders.allows(actor, on),
  true,
)

const isLocked = (on: Noteable): boolean =>
  (on.kind === 'issue' && on.issue.discussionLocked) || (on.kind === 'mergeRequest' && on.mergeRequest.discussionLocked)

export const discussionUnlocked = rule<Noteable>(
  'members only where the discussion is locked',
  (actor, on) => !isLocked(on) || on.access >= Access.guest || isAdministrator(actor),
)

const noteableReaders = {
  issue: issueReaders,
  mergeRequest: mergeRequestReaders,
  snippet: snippetReaders,
  epic: epicReaders,
} satisfies { readonly [K in Noteable['kind']]: Rule<Subjects[K]> }

const noteAuthor = rule<Subjects['note']>(
  'its author',
  (actor, { note }) => actor.kind === 'user' && note.authorId === actor.id,
)

export const noteReaders = rule<Subjects['note']>(
  'users who can see the item that the note belongs to; internal notes: its author, or reporters and above',
  (actor, on) =>
    (noteableReaders[on.noteable.kind] as Rule<Noteable>).allows(actor, on.noteable) &&
    (!on.note.internal || isReporter(on.access, actor) || noteAuthor.allows(actor, on)),
  true,
)

/** System notes cannot be changed; comments only where the current user could write a new one. */
const editableNote = rule<Subjects['note']>(
  'where the note is a comment and they could write a new one',
  (actor, { note, noteable }) => !note.system && discussionUnlocked.allows(actor, noteable),
)

export const noteEditors = both(either<Subjects['note']>(noteAuthor, role('maintainer')), editableNote)

export const discussionResolvers = either<Subjects['mergeRequest']>(role('developer'), mergeRequestAuthor)

/** Authors may change their notes, but not resolve them. */
export const noteResolvers = rule<Subjects['note']>(
  `on a merge request ${discussionResolvers.description}`,
  (actor, { noteable }) => noteable.kind === 'mergeRequest' && discussionResolvers.allows(actor, noteable),
)

export const scheduleOwner = rule<Subjects['pipelineSchedule']>(
  'its owner',
  (actor, { schedule }) => actor.kind === 'system' || (actor.kind === 'user' && schedule.ownerId === actor.id),
)

/** Developers see pipelines wherever they are enabled. */
export const pipelineRunners = both(role('developer'), pipelineReaders)

/** The caller can be anyone with the token, so that the permission of the owner decides. */
export const triggerTokens = rule<Subjects['pipelineTrigger']>(
  'callers with a trigger token whose owner may run pipelines',
  (_, subject) => pipelineRunners.allows(subject.owner, subject),
  true,
)

export const runnerTokens = rule<Subjects['runner']>('callers with its token', (_, { token }) => token !== null, true)

/** The loader has checked the token. */
export const jobTokens = rule<Subjects['runningJob']>('callers with its token', () => true, true)

export const runnerManagers = rule<Subjects['runner']>(
  'owners of its group, maintainers of one of its projects',
  (actor, { isManager }) => isManager || isAdministrator(actor),
)

export const runnerReaders = rule<Subjects['runner']>(
  'owners of its group, maintainers of one of its projects; signed-in users if it is one of the instance',
  (actor, on) =>
    runnerManagers.allows(actor, on) || (on.runner.runnerType === 'instance_type' && signedInUsers.allows(actor, on)),
)

export const whenSignedIn = <S>(base: Rule<S>): Rule<S> => both(base, signedInUsers, `${base.description}, signed in`)
