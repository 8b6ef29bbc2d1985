import * as v from 'valibot'
import type { Subjects } from '../contract/subjects.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { exactlyOne, Id, IdOrName, mutuallyExclusive } from '../kernel/inputs.ts'
import type { EntriesInput, SubjectLoader } from '../kernel/operation.ts'
import { chain, type MaybePromise } from '../kernel/store.ts'
import { defined } from '../shared/defined.ts'
import { getGroupAccessLevel, getProjectAccessLevel } from './actor-level.ts'
import { findGroup, findNamespace, findOwnNamespace, findPersonalNamespace } from './namespaces.ts'
import { findProject } from './projects.ts'
import { hasVisibleProject } from './visible-project.ts'

/** The id or the case-insensitive full path of a project or group. */
type IdOrPath = number | string

/** The whole instance. */
export const instance: SubjectLoader<'instance', Record<never, never>> = {
  kinds: ['instance'],
  entries: {},
  load: async () => ({ kind: 'instance' }),
}

const missingProject = { id: 0, namespaceId: 0, fullPath: '' }

const loadProject = (ctx: Context, ref: IdOrPath): MaybePromise<Subjects['project']> =>
  chain(findProject(ctx, ref), (project) =>
    // A missing project takes the same queries as an invisible one, so that response times do not reveal which it is.
    chain(ctx.lockContainer({ kind: 'project', ...(project ?? missingProject) }), () =>
      chain(getProjectAccessLevel(ctx, project ?? missingProject), (access) => {
        if (!project) throw notFound('Project')
        return { kind: 'project', project, access }
      }),
    ),
  )

const loadGroup = async (ctx: Context, ref: IdOrPath): Promise<Subjects['group']> => {
  const group = await findGroup(ctx, ref)
  await ctx.lockContainer({ kind: 'group', id: group?.id ?? 0, fullPath: group?.fullPath ?? '' })
  const access = await getGroupAccessLevel(ctx, group?.id ?? 0)
  const visibleBelow = access === 0 && (await hasVisibleProject(ctx, group))
  if (!group) throw notFound('Group')
  return { kind: 'group', group, access, hasVisibleProject: visibleBelow }
}

const projectEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: IdOrName,
}

const groupEntries = {
  /** Id (number) or full path (string, case-insensitive) of the group: `acme/tools`. */
  group: IdOrName,
}

const optionalProjectEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project. Default: none, for the instance. */
  project: v.optional(IdOrName),
}

/** The input field of operations that name a user. */
export const userEntries = {
  /** Id (number) or username (string, case-insensitive) of the user. */
  user: IdOrName,
}

/** A user. */
export const user: SubjectLoader<'user', typeof userEntries> = {
  kinds: ['user'],
  entries: userEntries,
  load: async (_ctx, { user }) => ({ kind: 'user', user }),
}

/** The account of the current user. */
export const currentUser: SubjectLoader<'currentUser', Record<never, never>> = {
  kinds: ['currentUser'],
  entries: {},
  load({ actor }) {
    if (actor.kind === 'system') throw invalid('The host application has no account: call this operation as a user')
    return { kind: 'currentUser' }
  },
}

/** The input field of operations that name a user, or are about the current one. */
export const accountEntries = {
  /** Id (number) or username (string, case-insensitive) of the user. Default: the current user. */
  user: v.optional(IdOrName),
}

/** The account of a user: the one in the input, or the current user. */
export const account: SubjectLoader<'currentUser' | 'user', typeof accountEntries> = {
  kinds: ['currentUser', 'user'],
  entries: accountEntries,
  kindOf: ({ user }) => (user === undefined ? 'currentUser' : 'user'),
  load(ctx, { user }) {
    if (user !== undefined) return { kind: 'user', user }
    if (ctx.actor.kind === 'system') throw invalid('user is required for calls of the host application')
    return { kind: 'currentUser' }
  },
}

const pictureOwnerEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project. */
  project: v.optional(IdOrName),
  /** Id (number) or full path (string, case-insensitive) of the group. */
  group: v.optional(IdOrName),
  /** Id of the user. */
  user: v.optional(Id),
}

/** What has a picture: a project, a group or a user, or the instance when the input names none. */
export const pictureOwner: SubjectLoader<'project' | 'group' | 'user' | 'instance', typeof pictureOwnerEntries> = {
  kinds: ['project', 'group', 'user', 'instance'],
  entries: pictureOwnerEntries,
  load(ctx, { project, group, user }) {
    if (project !== undefined) return loadProject(ctx, project)
    if (group !== undefined) return loadGroup(ctx, group)
    return user === undefined ? { kind: 'instance' } : { kind: 'user', user }
  },
}

/** A project, or the instance when the input names none. */
export const projectOrInstance: SubjectLoader<'project' | 'instance', typeof optionalProjectEntries> = {
  kinds: ['project', 'instance'],
  entries: optionalProjectEntries,
  kindOf: ({ project }) => (project === undefined ? 'instance' : 'project'),
  load: (ctx, { project }) => (project === undefined ? instance.load(ctx, {}) : loadProject(ctx, project)),
}

const projectOrUserEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project. */
  project: v.optional(IdOrName),
  /** Id (number) or username (string, case-insensitive) of the user. Without a project or a user: the instance. */
  user: v.optional(IdOrName),
}

/** A project or a user; the instance when the input names neither. */
export const projectOrUser: SubjectLoader<'project' | 'user' | 'instance', typeof projectOrUserEntries> = {
  kinds: ['project', 'user', 'instance'],
  entries: projectOrUserEntries,
  rules: [mutuallyExclusive('project', 'user')],
  load(ctx, { project, user }) {
    if (project !== undefined) return loadProject(ctx, project)
    return user === undefined ? instance.load(ctx, {}) : { kind: 'user', user }
  },
}

/** A project. */
export const project: SubjectLoader<'project', typeof projectEntries> = {
  kinds: ['project'],
  entries: projectEntries,
  load: (ctx, { project }) => loadProject(ctx, project),
}

/** A project, and the actor's level on its group. */
export const projectAndGroup: SubjectLoader<'project', typeof projectEntries> = {
  kinds: ['project'],
  entries: projectEntries,
  async load(ctx, { project }) {
    const subject = await loadProject(ctx, project)
    const namespace = await findNamespace(ctx, subject.project.namespaceId)
    if (namespace?.kind !== 'group') return subject
    return { ...subject, groupAccess: await getGroupAccessLevel(ctx, namespace.id) }
  },
}

/** A group. */
export const group: SubjectLoader<'group', typeof groupEntries> = {
  kinds: ['group'],
  entries: groupEntries,
  load: (ctx, { group }) => loadGroup(ctx, group),
}

export const containerEntries = { project: v.optional(IdOrName), group: v.optional(IdOrName) }

export type ContainerReference =
  | {
      /** Id (number) or full path (string, case-insensitive) of the project. Required unless `group` is set. */
      readonly project: IdOrPath
      readonly group?: undefined
    }
  | {
      /** Id (number) or full path (string, case-insensitive) of the group. Required unless `project` is set. */
      readonly group: IdOrPath
      readonly project?: undefined
    }

/** A project or a group, for resources that both can have. */
export const container: SubjectLoader<'project' | 'group', typeof containerEntries, ContainerReference> = {
  kinds: ['project', 'group'],
  entries: containerEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group }) =>
    project === undefined ? loadGroup(ctx, defined(group)) : loadProject(ctx, project),
}

const placeEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project. */
  project: v.optional(IdOrName),
  /** Id (number) or full path (string, case-insensitive) of the group. Without a project or a group: the instance. */
  group: v.optional(IdOrName),
}

/** A project or a group; the instance when the input names neither. */
export const place: SubjectLoader<'project' | 'group' | 'instance', typeof placeEntries> = {
  kinds: ['project', 'group', 'instance'],
  entries: placeEntries,
  rules: [mutuallyExclusive('project', 'group')],
  kindOf({ project, group }) {
    if (project !== undefined) return 'project'
    return group === undefined ? 'instance' : 'group'
  },
  load(ctx, { project, group }) {
    if (project !== undefined) return loadProject(ctx, project)
    return group === undefined ? instance.load(ctx, {}) : loadGroup(ctx, group)
  },
}

/** The foreign keys of what a place has; both are null for the instance. */
export const toPlaceKey = (subject: Subjects['project' | 'group' | 'instance']) => ({
  projectId: subject.kind === 'project' ? subject.project.id : null,
  groupId: subject.kind === 'group' ? subject.group.id : null,
})

const memberEntries = { ...containerEntries, ...userEntries }

/** A project or a group, and whether the `user` of the input is the current user. */
export const containerAndUser: SubjectLoader<
  'project' | 'group',
  typeof memberEntries,
  ContainerReference & EntriesInput<typeof userEntries>
> = {
  kinds: ['project', 'group'],
  entries: memberEntries,
  rules: [exactlyOne('project', 'group')],
  async load(ctx, { user, ...ref }) {
    const subject = await container.load(ctx, ref)
    return { ...subject, self: isActor(ctx.actor, user) }
  },
}

const isActor = (actor: Actor, user: IdOrPath) =>
  actor.kind === 'user' && (user === actor.id || String(user).toLowerCase() === actor.username.toLowerCase())

const parentEntries = {
  /** Id (number) or full path (string, case-insensitive) of the parent group. Default: none; a new group is a top-level one. */
  parent: v.optional(IdOrName),
}

/** The parent of groups; the instance when the input names none. */
export const parentGroup: SubjectLoader<'instance' | 'group', typeof parentEntries> = {
  kinds: ['instance', 'group'],
  entries: parentEntries,
  load: async (ctx, { parent }) => (parent === undefined ? { kind: 'instance' } : loadGroup(ctx, parent)),
}

const namespaceEntries = {
  /**
   * Id (number) or full path (string, case-insensitive) of a group or of a user's personal namespace. Default: the current user's
   * personal namespace.
   */
  namespace: v.optional(IdOrName),
}

/** The namespace of a new project; the current user's personal namespace when the input names none. */
export const namespace: SubjectLoader<'namespace', typeof namespaceEntries> = {
  kinds: ['namespace'],
  entries: namespaceEntries,
  async load(ctx, { namespace: ref }) {
    const namespace = ref === undefined ? await findOwnNamespace(ctx) : await findNamespace(ctx, ref)
    if (!namespace) throw notFound('Namespace')
    const isOwner = ctx.actor.kind === 'user' && namespace.ownerId === ctx.actor.id
    return { kind: 'namespace', namespace, access: isOwner ? 50 : await getGroupAccessLevel(ctx, namespace.id) }
  },
}

const projectNamespaceEntries = {
  ...namespaceEntries,
  /**
   * Id (number) or username (string, case-insensitive) of the user who is the creator of the project. For administrators. Default of
   * `namespace` is then the personal namespace of this user.
   */
  user: v.optional(IdOrName),
}

/** The namespace of a new project. */
export const projectNamespace: SubjectLoader<'namespace', typeof projectNamespaceEntries> = {
  kinds: ['namespace'],
  entries: projectNamespaceEntries,
  async load(ctx, { user, ...reference }) {
    if (user === undefined) return namespace.load(ctx, reference)
    const own = typeof user === 'number' ? await findPersonalNamespace(ctx, user) : await findNamespace(ctx, user)
    if (own?.kind !== 'user') throw notFound('User', user)
    const target = reference.namespace === undefined ? own : (await namespace.load(ctx, reference)).namespace
    // Without a level, also for its owner: only administrators create projects for a user.
    return { kind: 'namespace', namespace: target, access: 0, creatorId: own.ownerId }
  },
}

const groupOrUserEntries = {
  /** Id (number) or full path (string, case-insensitive) of the group. */
  group: v.optional(IdOrName),
  /** Id (number) or username (string, case-insensitive) of the user. Without a group or a user: the instance. */
  user: v.optional(IdOrName),
}

/** A group or a user; the instance when the input names neither. */
export const groupOrUser: SubjectLoader<'group' | 'user' | 'instance', typeof groupOrUserEntries> = {
  kinds: ['group', 'user', 'instance'],
  entries: groupOrUserEntries,
  rules: [mutuallyExclusive('group', 'user')],
  load(ctx, { group, user }) {
    if (group !== undefined) return loadGroup(ctx, group)
    return user === undefined ? instance.load(ctx, {}) : { kind: 'user', user }
  },
}
