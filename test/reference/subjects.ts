import type { Subjects } from '@forgelet/core/policy'
import type { Visibility } from '../../packages/core/src/access/levels.ts'
import type { Project } from '../../packages/core/src/features/projects/project.ts'
import { epic, issue, mergeRequest, namespace, note, project, reader, snippet, somebody } from './records.ts'

/**
 * One example of everything that permissions are granted on, and what can be special about it. A new kind in `Subjects`
 * does not compile until it stands here.
 */

/** The usual thing, and by a short sentence each how it can be special. */
export interface Example<S> {
  /** False where visibility does not exist. */
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

/** What can be special about anything in a project: it is archived, or one of its parts is not open to everybody. */
const inProject = {
  'the project is archived': change({ archived: true }),
  ...Object.fromEntries(
    Object.keys(project)
      .filter((field) => field.endsWith('AccessLevel'))
      .flatMap((field) => [
        [`${featureNames[field] ?? field} for members`, change({ [field]: 'private' })],
        [`${featureNames[field] ?? field} switched off`, change({ [field]: 'disabled' })],
      ]),
  ),
} as Readonly<Record<string, <S extends InProject>(usual: S) => S>>

const anIssue = (visibility: Visibility, access: number): Subjects['issue'] => ({
  kind: 'issue',
  project: { ...project, visibility },
  access,
  issue,
  assigned: false,
})

const aMergeRequest = (visibility: Visibility, access: number): Subjects['mergeRequest'] => ({
  kind: 'mergeRequest',
  project: { ...project, visibility },
  access,
  mergeRequest,
})

const anEpic = (visibility: Visibility, access: number): Subjects['epic'] => ({
  kind: 'epic',
  group: { ...namespace, visibility },
  access,
  epic,
})

type InSnippet = Pick<Subjects['snippet'], 'project' | 'access' | 'snippet'>

/** A snippet that is as visible as its project. */
const aSnippet = (visibility: Visibility, access: number): InSnippet => ({
  project: { ...project, visibility },
  access,
  snippet: { ...snippet, visibility },
})

const ofSnippet = {
  'it is personal': <S extends InSnippet>(usual: S): S => ({ ...usual, project: null, access: 0 }),
  'it is itself private': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    snippet: { ...usual.snippet, visibility: 'private' },
  }),
  'the project is archived': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, archived: true },
  }),
  'snippets are for members': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, snippetsAccessLevel: 'private' },
  }),
  'snippets are switched off': <S extends InSnippet>(usual: S): S => ({
    ...usual,
    project: usual.project && { ...usual.project, snippetsAccessLevel: 'disabled' },
  }),
}

export const examples: { readonly [K in keyof Subjects]: Example<Subjects[K]> } = {
  instance: { hasVisibility: false, usual: () => ({ kind: 'instance' }), special: {} },
  namespace: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'namespace', namespace: { ...namespace, visibility }, access }),
    special: {
      'it is the namespace of another user': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, kind: 'user', ownerId: somebody },
      }),
      'only maintainers create projects': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, projectCreationLevel: 'maintainer' },
      }),
      'nobody creates projects': (usual) => ({
        ...usual,
        namespace: { ...usual.namespace, projectCreationLevel: 'noone' },
      }),
    },
  },
  group: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'group', group: { ...namespace, visibility }, access, seenBelow: false }),
    special: {
      'they see a project below it': (usual) => ({ ...usual, seenBelow: true }),
      'the call is about themselves': (usual) => ({ ...usual, self: true }),
      'maintainers create groups below it': (usual) => ({
        ...usual,
        group: { ...usual.group, subgroupCreationLevel: 'maintainer' },
      }),
      'it takes no access requests': (usual) => ({ ...usual, group: { ...usual.group, requestAccessEnabled: false } }),
    },
  },
  project: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'project', project: { ...project, visibility }, access }),
    special: {
      ...inProject,
      'they are no members of its group': (usual) => ({ ...usual, groupAccess: 0 }),
      'the call is about themselves': (usual) => ({ ...usual, self: true }),
      'it takes no access requests': change({ requestAccessEnabled: false }),
    },
  },
  issue: {
    hasVisibility: true,
    usual: anIssue,
    special: {
      ...inProject,
      'the discussion is locked': (usual) => ({ ...usual, issue: { ...issue, discussionLocked: true } }),
      'they wrote it': (usual) => ({ ...usual, issue: { ...issue, authorId: reader } }),
      'it is confidential': (usual) => ({ ...usual, issue: { ...issue, confidential: true } }),
      'it is confidential and they wrote it': (usual) => ({
        ...usual,
        issue: { ...issue, confidential: true, authorId: reader },
      }),
      'it is confidential and assigned to them': (usual) => ({
        ...usual,
        issue: { ...issue, confidential: true },
        assigned: true,
      }),
    },
  },
  mergeRequest: {
    hasVisibility: true,
    usual: aMergeRequest,
    special: {
      ...inProject,
      'the discussion is locked': (usual) => ({ ...usual, mergeRequest: { ...mergeRequest, discussionLocked: true } }),
      'they wrote it': (usual) => ({ ...usual, mergeRequest: { ...mergeRequest, authorId: reader } }),
    },
  },
  snippet: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'snippet', ...aSnippet(visibility, access) }),
    special: {
      ...ofSnippet,
      'they wrote it': (usual) => ({ ...usual, snippet: { ...usual.snippet, authorId: reader } }),
    },
  },
  ownSnippet: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'ownSnippet', ...aSnippet(visibility, access) }),
    special: {
      ...ofSnippet,
      'they wrote it': (usual) => ({ ...usual, snippet: { ...usual.snippet, authorId: reader } }),
    },
  },
  scimGroup: {
    hasVisibility: false,
    usual: () => ({ kind: 'scimGroup', group: namespace, ssoEnabled: true }),
    special: { 'single sign-on is switched off': (usual) => ({ ...usual, ssoEnabled: false }) },
  },
  registry: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'registry', project: { ...project, visibility }, access, enabled: true }),
    special: {
      'the project is archived': (usual) => ({ ...usual, project: { ...usual.project, archived: true } }),
      'the container registry is switched off': (usual) => ({ ...usual, enabled: false }),
    },
  },
  epic: {
    hasVisibility: true,
    usual: anEpic,
    special: {
      'they wrote it': (usual) => ({ ...usual, epic: { ...epic, authorId: reader } }),
      'it is confidential': (usual) => ({ ...usual, epic: { ...epic, confidential: true } }),
      'it is confidential and they wrote it': (usual) => ({
        ...usual,
        epic: { ...epic, confidential: true, authorId: reader },
      }),
    },
  },
  note: {
    hasVisibility: true,
    usual: (visibility, access) => ({ kind: 'note', noteable: anIssue(visibility, access), access, note }),
    special: {
      'they wrote it': (usual) => ({ ...usual, note: { ...note, authorId: reader } }),
      'it records a change': (usual) => ({ ...usual, note: { ...note, system: true, authorId: reader } }),
      'they wrote it, the project is archived': (usual) => ({
        ...usual,
        noteable: change({ archived: true })(usual.noteable as Subjects['issue']),
        note: { ...note, authorId: reader },
      }),
      'they wrote it, the discussion is locked': (usual) => ({
        ...usual,
        noteable: { ...(usual.noteable as Subjects['issue']), issue: { ...issue, discussionLocked: true } },
        note: { ...note, authorId: reader },
      }),
      'it hangs on a confidential issue': (usual) => ({
        ...usual,
        noteable: { ...(usual.noteable as Subjects['issue']), issue: { ...issue, confidential: true } },
      }),
    },
  },
}
