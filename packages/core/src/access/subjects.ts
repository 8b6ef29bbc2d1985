import * as v from 'valibot'
import { findGroup, findNamespace, personalNamespace } from '../features/groups/queries.ts'
import { findProject } from '../features/projects/queries.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { exactlyOne, Reference } from '../kernel/inputs.ts'
import type { Subject } from '../kernel/operation.ts'
import { after, type Soon } from '../kernel/store.ts'
import type { Subjects } from '../policy.ts'
import { accessToGroup, accessToProject } from './membership.ts'
import { seesProjectBelow } from './seen-below.ts'

/** A project or group by id, or by its full path without regard to case. */
type Ref = number | string

/** The platform as a whole. */
export const instance: Subject<'instance', Record<never, never>> = {
  kinds: ['instance'],
  entries: {},
  load: async () => ({ kind: 'instance' }),
}

const nowhere = { id: 0, namespaceId: 0 }

const loadProject = (ctx: Context, ref: Ref): Soon<Subjects['project']> =>
  after(findProject(ctx, ref), (project) =>
    // A miss does the same work as a hit, so that timing does not tell a hidden project from a missing one.
    after(accessToProject(ctx, project ?? nowhere), (access) => {
      if (!project) throw notFound('Project')
      return { kind: 'project', project, access }
    }),
  )

const loadGroup = async (ctx: Context, ref: Ref): Promise<Subjects['group']> => {
  const group = await findGroup(ctx, ref)
  const access = await accessToGroup(ctx, group?.id ?? 0)
  const seenBelow = access === 0 && (await seesProjectBelow(ctx, group))
  if (!group) throw notFound('Group')
  return { kind: 'group', group, access, seenBelow }
}

const projectEntries = { project: Reference }
const groupEntries = { group: Reference }
const projectIfAny = { project: v.optional(v.string()) }

/** A project by its full path, or the platform as a whole when none is named. */
export const projectOrInstance: Subject<'project' | 'instance', typeof projectIfAny> = {
  kinds: ['project', 'instance'],
  entries: projectIfAny,
  load: async (ctx, { project }) => (project === undefined ? { kind: 'instance' } : loadProject(ctx, project)),
}

/** A project. */
export const project: Subject<'project', typeof projectEntries> = {
  kinds: ['project'],
  entries: projectEntries,
  load: (ctx, { project }) => loadProject(ctx, project),
}

/** A project, and the actor's level on its group. */
export const projectAndGroup: Subject<'project', typeof projectEntries> = {
  kinds: ['project'],
  entries: projectEntries,
  async load(ctx, { project }) {
    const subject = await loadProject(ctx, project)
    const home = await findNamespace(ctx, subject.project.namespaceId)
    if (home?.kind !== 'group') return subject
    return { ...subject, groupAccess: await accessToGroup(ctx, home.id) }
  },
}

/** A group. */
export const group: Subject<'group', typeof groupEntries> = {
  kinds: ['group'],
  entries: groupEntries,
  load: (ctx, { group }) => loadGroup(ctx, group),
}

const containerEntries = { project: v.optional(Reference), group: v.optional(Reference) }
type ContainerRef =
  | { readonly project: Ref; readonly group?: undefined }
  | { readonly group: Ref; readonly project?: undefined }

/** A project or a group, for things that both can have. */
export const container: Subject<'project' | 'group', typeof containerEntries, ContainerRef> = {
  kinds: ['project', 'group'],
  entries: containerEntries,
  rules: [exactlyOne('project', 'group')],
  load: (ctx, { project, group }) => (project === undefined ? loadGroup(ctx, group as Ref) : loadProject(ctx, project)),
}

const memberEntries = { ...containerEntries, user: Reference }

/** A project or a group, and whether the user that is named there is the caller. */
export const containerAndUser: Subject<
  'project' | 'group',
  typeof memberEntries,
  ContainerRef & { readonly user: Ref }
> = {
  kinds: ['project', 'group'],
  entries: memberEntries,
  rules: [exactlyOne('project', 'group')],
  async load(ctx, { user, ...ref }) {
    const subject = await container.load(ctx, ref)
    return { ...subject, self: isActor(ctx.actor, user) }
  },
}

const isActor = (actor: Actor, user: Ref) =>
  actor.kind === 'user' && (user === actor.id || String(user).toLowerCase() === actor.username.toLowerCase())

const parentEntries = { parent: v.optional(Reference) }

/** The group that is to hold a new one; the platform as a whole for a top-level group. */
export const parentGroup: Subject<'instance' | 'group', typeof parentEntries> = {
  kinds: ['instance', 'group'],
  entries: parentEntries,
  load: async (ctx, { parent }) => (parent === undefined ? { kind: 'instance' } : loadGroup(ctx, parent)),
}

const namespaceEntries = { namespace: v.optional(Reference) }

/** The namespace that is to hold a new project; the caller's own when none is named. */
export const namespace: Subject<'namespace', typeof namespaceEntries> = {
  kinds: ['namespace'],
  entries: namespaceEntries,
  async load(ctx, { namespace: ref }) {
    const namespace = ref === undefined ? await personalNamespace(ctx) : await findNamespace(ctx, ref)
    if (!namespace) throw notFound('Namespace')
    const owner = ctx.actor.kind === 'user' && namespace.ownerId === ctx.actor.id
    return { kind: 'namespace', namespace, access: owner ? 50 : await accessToGroup(ctx, namespace.id) }
  },
}
