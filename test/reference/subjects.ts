import type { Subjects } from '@forgelet/core/policy'
import { Access, type Visibility } from '../../packages/core/src/access/levels.ts'
import type { Project } from '../../packages/core/src/contract/project.ts'
import {
  commitComment,
  currentUserId,
  epic,
  issue,
  mergeRequest,
  namespace,
  note,
  otherUserId,
  project,
  schedule,
  snippet,
} from './example-rows.ts'

/** One example of each kind of subject, and its special cases. A kind of `Subjects` without an example is a compile error. */

/** The usual subject, and its special cases by description. */
export interface Example<S> {
  /** False for kinds without a visibility. */
  readonly hasVisibility: boolean
  usual(visibility: Visibility, access: number): S
  readonly special: Readonly<Record<string, (usual: S) => S>>
}

type InProject = { readonly project: Project }

const change =
  (fields: Partial<Project>) =>
  <S extends InProject>(usual: S): S => ({ ...usual, project: { ...usual.project, ...fields } })

const featureNames: Readonly<Record<string, string>> = {
  issuesAccessLevel: 'issues are',
  mergeRequestsAccessLevel: 'merge requests are',
  repositoryAccessLevel: 'the code is',
  snippetsAccessLevel: 'snippets are',
}

/** Special cases of subjects in a project: it is archived, or a feature is restricted or disabled. */
const inProject = {
  'the project is archived': change({ archived: true }),
  'pipelines are restricted to members': change({ pipelineReaders: 'members' }),
  'pipelines are restricted to reporters': change({ pipelineReaders: 'reporters' }),
  'pipelines are disabled': change({ pipelineReaders: 'nobody' }),
  ...Object.fromEntries(
    Object.keys(project)
      .filter((field) => field.endsWith('AccessLevel'))
      .flatMap((field) => [
        [`${featureNames[field] ?? field} restricted to members`, change({ [field]: 'private' })],
        [`${featureNames[field] ?? field} disabled`, change({ [field]: 'disabled' })],
      ]),
  ),
} as Readonly<Record<string, <S extends InProject>(usual: S) => S>>

const anIssue = (visibility: Visibility, access: number): Subjects['issue'] => ({
  kind: 'issue',
  project: { ...project, visibility },
  access,
  issue,
  isAssignee: false,
})

const aMergeRequest = (visibility: Visibility, access: number): Subjects['mergeRequest'] => ({
  kind: 'mergeRequest',
  project: { ...project, visibility },
  access,
  mergeRequest,
})

const triggerOwner: Subjects['pipelineTrigger']['owner'] = {
  kind: 'user',
  id: otherUserId,
  username: 'owner',
  name: 'Owner',
  admin: false,
  external: false,
  bot: false,
  scopes: null,
}

const anEpic = (visibility: Visibility, access: number): Subjects['epic'] => ({
  kind: 'epic',
  group: { ...namespace, visibility },
  access,
  epic,
})

type InSnippet = Pick<Subjects['snippet'], 'project' | 'access' | 'snippet'>

/** A snippet with the visibility of its project. */
const aSnippet = (visibility: Visibility, access: number): InSnippet => ({
  project: { ...project, visibility },
  access,
  snippet: { ...snippet, visibility },
})

const ofSnippet = {
  'personal snippet': <S extends InSnippet>(usual: S): S => ({ ...usual, project: null, access: 0 }),
  'the snippet itself is private': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    snippet: { ...usual.snippet, visibility: 'private' },
  }),
  'the project is archived': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, archived: true },
  }),
  'snippets are restricted to members': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, snippetsAccessLevel: 'private' },
  }),
  'snippets are disabled': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, snippetsAccessLevel: 'disabled' },
  }),
}

export const examples: { readonly [K in keyof Subjects]: Example<Subjects[K]> } = {
  instance: { hasVisibility: false, usual: () => ({ kind: 'instance' }), special: {} },
  currentUser: { hasVisibility: false, usual: () => ({ kind: 'currentUser' }), special: {} },
  user: { hasVisibility: false, usual: () => ({ kind: 'user', user: otherUserId }), special: {} },
  namespace: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'namespace', namespace: { ...namespace, visibility }, access }),
    special: {
      'the namespace belongs to another user': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, kind: 'user', ownerId: otherUserId },
      }),
      'only maintainers create projects': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, projectCreationLevel: 'maintainer' },
      }),
      'project creation is disabled': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, projectCreationLevel: 'noone' },
      }),
    },
  },
  group: {
    hasVisibility: true,
    usual: (visibility, access) => ({
      kind: 'group',
      group: { ...namespace, visibility },
      access,
      hasVisibleProject: false,
    }),
    special: {
      'a project below the group is visible': (usual) => ({ ...usual, hasVisibleProject: true }),
      'the target is the current user': (usual) => ({ ...usual, self: true }),
      'maintainers create subgroups': (usual) => ({
        ...usual,
        group: { ...usual.group, subgroupCreationLevel: 'maintainer' },
      }),
      'access requests are disabled': (usual) => ({ ...usual, group: { ...usual.group, requestAccessEnabled: false } }),
    },
  },
  project: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'project', project: { ...project, visibility }, access }),
    special: {
      ...inProject,
      'no member of the group': (usual) => ({ ...usual, groupAccess: 0 }),
      'the target is the current user': (usual) => ({ ...usual, self: true }),
      'access requests are disabled': change({ requestAccessEnabled: false }),
    },
  },
  milestone: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'milestone', project: { ...project, visibility }, access }),
    special: inProject,
  },
  issue: {
    hasVisibility: true,
    usual: anIssue,
    special: {
      ...inProject,
      'the discussion is locked': (usual) => ({ ...usual, issue: { ...issue, discussionLocked: true } }),
      'the current user is the author': (usual) => ({ ...usual, issue: { ...issue, authorId: currentUserId } }),
      confidential: (usual) => ({ ...usual, issue: { ...issue, confidential: true } }),
      'confidential, the current user is the author': (usual) => ({
        ...usual,
        issue: { ...issue, confidential: true, authorId: currentUserId },
      }),
      'confidential, assigned to the current user': (usual) => ({
        ...usual,
        issue: { ...issue, confidential: true },
        isAssignee: true,
      }),
    },
  },
  mergeRequest: {
    hasVisibility: true,
    usual: aMergeRequest,
    special: {
      ...inProject,
      'the discussion is locked': (usual) => ({ ...usual, mergeRequest: { ...mergeRequest, discussionLocked: true } }),
      'the current user is the author': (usual) => ({
        ...usual,
        mergeRequest: { ...mergeRequest, authorId: currentUserId },
      }),
    },
  },
  snippet: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'snippet', ...aSnippet(visibility, access) }),
    special: {
      ...ofSnippet,
      'the current user is the author': (usual) => ({
        ...usual,
        snippet: { ...usual.snippet, authorId: currentUserId },
      }),
    },
  },
  ownSnippet: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'ownSnippet', ...aSnippet(visibility, access) }),
    special: {
      ...ofSnippet,
      'the current user is the author': (usual) => ({
        ...usual,
        snippet: { ...usual.snippet, authorId: currentUserId },
      }),
    },
  },
  scimGroup: {
    hasVisibility: false,
    usual: () => ({ kind: 'scimGroup', group: namespace, ssoEnabled: true }),
    special: { 'single sign-on is disabled': (usual) => ({ ...usual, ssoEnabled: false }) },
  },
  groupWiki: {
    hasVisibility: true,
    usual: (visibility, access) => ({
      kind: 'groupWiki',
      group: { ...namespace, visibility },
      access,
      hasVisibleProject: false,
      accessLevel: 'enabled',
    }),
    special: {
      'the wiki is for members only': (usual) => ({ ...usual, accessLevel: 'private' }),
      'the wiki is disabled': (usual) => ({ ...usual, accessLevel: 'disabled' }),
    },
  },
  wiki: {
    hasVisibility: true,
    usual: (visibility, access) => ({
      kind: 'wiki',
      project: { ...project, visibility },
      access,
      accessLevel: 'enabled',
    }),
    special: {
      'the project is archived': (usual) => ({ ...usual, project: { ...usual.project, archived: true } }),
      'the wiki is for members only': (usual) => ({ ...usual, accessLevel: 'private' }),
      'the wiki is disabled': (usual) => ({ ...usual, accessLevel: 'disabled' }),
    },
  },
  registry: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'registry', project: { ...project, visibility }, access }),
    special: {
      'the project is archived': (usual) => ({ ...usual, project: { ...usual.project, archived: true } }),
      'the container registry is disabled': (usual) => ({
        ...usual,
        project: { ...usual.project, restrictedFeatures: { containerRegistry: 'disabled' } },
      }),
    },
  },
  commit: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'commit', project: { ...project, visibility }, access, sha: 'main' }),
    special: inProject,
  },
  commitComment: {
    hasVisibility: true,
    usual: (visibility, access) => ({
      kind: 'commitComment',
      project: { ...project, visibility },
      access,
      sha: 'main',
      comment: commitComment,
    }),
    special: {
      ...inProject,
      'the current user is the author': (usual) => ({
        ...usual,
        comment: { ...commitComment, authorId: currentUserId },
      }),
    },
  },
  pipelineSchedule: {
    hasVisibility: true,
    usual: (visibility, access) => ({
      kind: 'pipelineSchedule',
      project: { ...project, visibility },
      access,
      schedule,
    }),
    special: {
      ...inProject,
      'the current user is the owner': (usual) => ({
        ...usual,
        schedule: { ...schedule, ownerId: currentUserId },
      }),
    },
  },
  pipelineTrigger: {
    hasVisibility: true,
    usual: (visibility) => ({
      kind: 'pipelineTrigger',
      project: { ...project, visibility },
      owner: triggerOwner,
      access: Access.developer,
      triggerId: 1,
    }),
    special: {
      ...inProject,
      'its owner is a reporter': (usual) => ({ ...usual, access: Access.reporter }),
    },
  },
  runner: {
    hasVisibility: false,
    usual: () => ({
      kind: 'runner',
      runner: { id: 1, runnerType: 'project_type', locked: false, projectIds: [1] },
      isManager: false,
      token: null,
    }),
    special: {
      'the current user manages its project or group': (usual) => ({ ...usual, isManager: true }),
      'the runner is one of the instance': (usual) => ({
        ...usual,
        runner: { ...usual.runner, runnerType: 'instance_type', projectIds: [] },
      }),
      'its token identifies it': (usual) => ({ ...usual, token: 'x' }),
    },
  },
  runningJob: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'runningJob', project: { ...project, visibility }, access, jobId: 1 }),
    special: {},
  },
  featureFlagsClient: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'featureFlagsClient', project: { ...project, visibility }, access }),
    special: inProject,
  },
  errorClient: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'errorClient', project: { ...project, visibility }, access }),
    special: inProject,
  },
  epic: {
    hasVisibility: true,
    usual: anEpic,
    special: {
      'the current user is the author': (usual) => ({ ...usual, epic: { ...epic, authorId: currentUserId } }),
      confidential: (usual) => ({ ...usual, epic: { ...epic, confidential: true } }),
      'confidential, the current user is the author': (usual) => ({
        ...usual,
        epic: { ...epic, confidential: true, authorId: currentUserId },
      }),
    },
  },
  note: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'note', noteable: anIssue(visibility, access), access, note }),
    special: {
      'the current user is the author': (usual) => ({ ...usual, note: { ...note, authorId: currentUserId } }),
      internal: (usual) => ({ ...usual, note: { ...note, internal: true } }),
      'internal, the current user is the author': (usual) => ({
        ...usual,
        note: { ...note, internal: true, authorId: currentUserId },
      }),
      'system note': (usual) => ({ ...usual, note: { ...note, system: true, authorId: currentUserId } }),
      'the current user is the author, the project is archived': (usual) => ({
        ...usual,
        noteable: change({ archived: true })(usual.noteable as Subjects['issue']),
        note: { ...note, authorId: currentUserId },
      }),
      'the current user is the author, the discussion is locked': (usual) => ({
        ...usual,
        noteable: { ...(usual.noteable as Subjects['issue']), issue: { ...issue, discussionLocked: true } },
        note: { ...note, authorId: currentUserId },
      }),
      'the issue is confidential': (usual) => ({
        ...usual,
        noteable: { ...(usual.noteable as Subjects['issue']), issue: { ...issue, confidential: true } },
      }),
    },
  },
}
