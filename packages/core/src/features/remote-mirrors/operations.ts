import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { outside } from '../../kernel/outside.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { findProject } from '../projects/queries.ts'
import { type OutboundRules, outboundRules } from '../settings/outbound-rules.ts'
import { mirrorOf, mirrorsOf, requestPush, toMirror } from './queries.ts'
import { credentialsContext, type RemoteMirror } from './remote-mirror.ts'
import { type MirrorUrl, maskedMirrorUrl, readMirrorUrl } from './url.ts'

const switches = {
  enabled: v.optional(v.boolean()),
  onlyProtectedBranches: v.optional(v.boolean()),
  keepDivergentRefs: v.optional(v.boolean()),
}

interface Given {
  readonly enabled?: boolean | undefined
  readonly onlyProtectedBranches?: boolean | undefined
  readonly keepDivergentRefs?: boolean | undefined
}

const refused = (complaint: string) => invalid({ url: [complaint] })

/** Milliseconds. A name that nobody knows yet can be mirrored to all the same: the push looks again. */
const patience = 2_000

const soon = <T>(answer: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), patience)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Refuses a name that leads into the platform's own network today. */
const refuseNear = async ({ ports }: Pick<Context, 'ports'>, rules: OutboundRules, { url }: MirrorUrl) => {
  const check = rules.checkHost(new URL(url).hostname, ports.names.addresses)
  const found = await soon(check, { status: 'unresolved' as const })
  if (found.status === 'refused') throw refused(`is blocked: ${found.complaint}`)
}

const insert = async (ctx: Context, projectId: number, mirror: MirrorUrl, given: Given): Promise<RemoteMirror> => {
  const { url, user, password } = mirror
  const [row] = await ctx.db
    .insertInto('remoteMirror')
    .values({
      projectId,
      enabled: given.enabled ?? false,
      url,
      shownUrl: maskedMirrorUrl(mirror),
      sealedCredentials: null,
      onlyProtectedBranches: given.onlyProtectedBranches ?? false,
      keepDivergentRefs: given.keepDivergentRefs ?? false,
      updateStatus: 'none',
      lastUpdateAt: null,
      lastUpdateStartedAt: null,
      lastSuccessfulUpdateAt: null,
      lastError: null,
      requestedAt: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning('id')
    .execute()
  const { id } = row as { id: number }
  if (user !== null || password !== null) {
    const sealedCredentials = ctx.ports.secrets.seal(JSON.stringify({ user, password }), credentialsContext(id))
    await ctx.db.updateTable('remoteMirror').set({ sealedCredentials }).where('id', '=', id).execute()
  }
  if (given.enabled) await requestPush(ctx, [id])
  return mirrorOf(ctx, projectId, id)
}

const changesOf = (given: Given, known: RemoteMirror): Partial<Pick<RemoteMirror, keyof Given>> =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && value !== known[name as keyof Given]),
  )

/** Repositories elsewhere that are made to look like the one of a project: specification 2, "Remote mirrors". */
export const remoteMirrors = {
  /** The mirrors of a project, by id. */
  list: query({
    on: project,
    can: 'mirror.manage',
    input: paging,
    run: (ctx, at, subject) => paginate(mirrorsOf(ctx, subject.project.id).orderBy('id'), at, toMirror),
  }),

  /** One mirror. */
  get: query({
    on: project,
    can: 'mirror.manage',
    input: { mirror: Id },
    run: (ctx, { mirror }, subject) => mirrorOf(ctx, subject.project.id, mirror),
  }),

  /**
   * Adds a mirror, disabled unless `enabled` is true; an enabled one is pushed to soon. Its address may not lead into the
   * platform's own network, as far as the settings do not allow it. User and password in it are stored encrypted and shown
   * to nobody.
   */
  create: command({
    on: project,
    can: 'mirror.manage',
    input: { url: v.string(), ...switches },
    async run(ctx, { url, ...given }, subject) {
      const { id: projectId } = subject.project
      const rules = await outboundRules(ctx)
      const read = readMirrorUrl(url, { hostComplaint: rules.hostComplaint })
      if ('complaint' in read) throw refused(read.complaint)
      const { mirror } = read
      // The host knows where it leads its own projects; every push looks again anyway.
      if (ctx.actor.kind === 'system') return insert(ctx, projectId, mirror, given)
      return outside(async ({ write }): Promise<RemoteMirror> => {
        await refuseNear(ctx, rules, mirror)
        return write(async (later) => {
          if (!(await findProject(later, projectId))) throw notFound('Project')
          return insert(later, projectId, mirror, given)
        })
      })
    },
  }),

  /** Switches a mirror on or off or changes what is pushed. Its address stays what it is. */
  update: command({
    on: project,
    can: 'mirror.manage',
    input: { mirror: Id, ...switches },
    async run(ctx, { mirror, ...given }, subject): Promise<RemoteMirror> {
      const known = await mirrorOf(ctx, subject.project.id, mirror)
      const changes = changesOf(given, known)
      if (!Object.keys(changes).length) return known
      const values = { ...changes, updatedAt: ctx.now }
      await ctx.db.updateTable('remoteMirror').set(values).where('id', '=', mirror).execute()
      if (changes.enabled ?? known.enabled) await requestPush(ctx, [mirror])
      return { ...known, ...changes }
    },
  }),

  /** Forgets a mirror and what opens it. The other repository stays as it is. */
  remove: command({
    on: project,
    can: 'mirror.manage',
    input: { mirror: Id },
    async run(ctx, { mirror }, subject) {
      await mirrorOf(ctx, subject.project.id, mirror)
      await ctx.db.deleteFrom('remoteMirror').where('id', '=', mirror).execute()
    },
  }),

  /** Pushes to an enabled mirror soon, whether or not anything has changed. */
  sync: command({
    on: project,
    can: 'mirror.manage',
    input: { mirror: Id },
    async run(ctx, { mirror }, subject): Promise<RemoteMirror> {
      const known = await mirrorOf(ctx, subject.project.id, mirror)
      if (!known.enabled) throw invalid({ mirror: ['is disabled'] })
      await requestPush(ctx, [mirror])
      return known
    },
  }),
}
