import * as v from 'valibot'
import { findProject } from '../../../access/projects.ts'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { NamePatternInput } from '../../../kernel/name-pattern-input.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { maskOutboundUrl, type OutboundUrl, parseOutboundUrl } from '../../../network/outbound-url.ts'
import { assertUrlAllowed } from '../../administration/settings/outbound-destination.ts'
import { getOutboundRules } from '../../administration/settings/outbound-rules.ts'
import { getMirror, requestPush, selectMirrors, toMirror } from './queries.ts'
import { credentialsContext, type RemoteMirror } from './remote-mirror.ts'

const switchesInput = {
  /** Whether changes are pushed to the mirror. Default of a new mirror: false. Enabling it enqueues a push. */
  enabled: v.optional(v.boolean()),
  /**
   * Whether only protected branches and the tags are pushed, instead of all branches. Default of a new mirror: false.
   */
  onlyProtectedBranches: v.optional(v.boolean()),
  /**
   * Whether branches and tags that have diverged on the remote are skipped instead of overwritten. Default of a new
   * mirror: false.
   */
  keepDivergentRefs: v.optional(v.boolean()),
  /**
   * Pattern in RE2 syntax, at most 255 characters: only branches whose name contains a match are pushed, and all tags; null or empty for
   * all branches. Replaces `onlyProtectedBranches`, and is removed by it. Default of a new mirror: null.
   */
  mirrorBranchRegex: v.optional(v.nullable(NamePatternInput)),
}

interface MirrorSwitches {
  readonly enabled?: boolean | undefined
  readonly onlyProtectedBranches?: boolean | undefined
  readonly keepDivergentRefs?: boolean | undefined
  readonly mirrorBranchRegex?: string | null | undefined
}

/** A mirror has one of the two selections of branches: the given one replaces the other. */
const selectBranches = ({ mirrorBranchRegex: regex, ...switches }: MirrorSwitches): MirrorSwitches => {
  if (regex) return { ...switches, mirrorBranchRegex: regex, onlyProtectedBranches: false }
  const removesRegex = regex !== undefined || switches.onlyProtectedBranches === true
  return { ...switches, ...(removesRegex && { mirrorBranchRegex: null }) }
}

/** @throws PlatformError `invalid` for both selections of branches */
const assertOneSelection = ({ mirrorBranchRegex, onlyProtectedBranches }: MirrorSwitches) => {
  if (mirrorBranchRegex && onlyProtectedBranches)
    throw invalid({ base: ['mirror_branch_regex and only_protected_branches cannot be used together'] })
}

const insertMirror = async (
  ctx: Context,
  projectId: number,
  mirror: OutboundUrl,
  switches: MirrorSwitches,
): Promise<RemoteMirror> => {
  const { url, user, password } = mirror
  const { id } = await ctx.db
    .insertInto('remoteMirror')
    .values({
      projectId,
      enabled: switches.enabled ?? false,
      url,
      shownUrl: maskOutboundUrl(mirror),
      sealedCredentials: null,
      onlyProtectedBranches: switches.onlyProtectedBranches ?? false,
      keepDivergentRefs: switches.keepDivergentRefs ?? false,
      mirrorBranchRegex: switches.mirrorBranchRegex || null,
      updateStatus: 'none',
      lastUpdateAt: null,
      lastUpdateStartedAt: null,
      lastSuccessfulUpdateAt: null,
      lastError: null,
      failureCount: 0,
      nextUpdateAt: null,
      requestedAt: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'remoteMirror'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (user !== null || password !== null) {
    const sealedCredentials = ctx.ports.secrets.seal(JSON.stringify({ user, password }), credentialsContext(id))
    await ctx.db.updateTable('remoteMirror').set({ sealedCredentials }).where('id', '=', id).execute()
  }
  if (switches.enabled) await requestPush(ctx, [id])
  return getMirror(ctx, projectId, id)
}

const findChanges = (
  switches: MirrorSwitches,
  mirror: RemoteMirror,
): Partial<Pick<RemoteMirror, keyof MirrorSwitches>> =>
  Object.fromEntries(
    Object.entries(switches).filter(
      ([name, value]) => value !== undefined && value !== mirror[name as keyof MirrorSwitches],
    ),
  )

/** Remote repositories to which the platform pushes changes of a project: specification 2, "Remote mirrors". */
export const remoteMirrors = {
  /** Lists the mirrors of a project, by id. */
  list: query({
    on: project,
    can: 'mirror.manage',
    input: pagingEntries,
    run: (ctx, paging, subject) => paginate(selectMirrors(ctx, subject.project.id).orderBy('id'), paging, toMirror),
  }),

  /** Gets a mirror of a project. */
  get: query({
    on: project,
    can: 'mirror.manage',
    input: {
      /** Id of the mirror, as in `remoteMirrors.list`. */
      mirror: Id,
    },
    run: (ctx, { mirror }, subject) => getMirror(ctx, subject.project.id, mirror),
  }),

  /**
   * Creates a mirror, by default disabled, and enqueues a push to an enabled one. The settings determine whether its
   * URL may point to the local network. User and password of the URL are stored encrypted and never returned.
   */
  create: command({
    on: project,
    can: 'mirror.manage',
    input: {
      /**
       * URL of the remote repository with the scheme `https`, `http`, `ssh` or `git`, at most 2,048 characters. It may
       * contain a user name and password.
       */
      url: v.string(),
      ...switchesInput,
    },
    async run(ctx, { url, ...switches }, subject) {
      assertOneSelection(switches)
      const { id: projectId } = subject.project
      const rules = await getOutboundRules(ctx)
      const result = parseOutboundUrl(url, { getHostError: rules.getHostError })
      if ('problem' in result) throw invalid({ url: [result.problem] })
      const { target: mirror } = result
      // No lookup for the host application, which is trusted; every push checks the address.
      if (ctx.actor.kind === 'system') return insertMirror(ctx, projectId, mirror, switches)
      return afterTransaction(async ({ write }): Promise<RemoteMirror> => {
        await assertUrlAllowed(ctx.ports, rules, mirror.url)
        return write(async (ctx) => {
          if (!(await findProject(ctx, projectId))) throw notFound('Project')
          return insertMirror(ctx, projectId, mirror, switches)
        })
      })
    },
  }),

  /**
   * Updates a mirror; omitted fields keep their values. Its URL cannot be changed. A change enqueues a push to an
   * enabled mirror.
   */
  update: command({
    on: project,
    can: 'mirror.manage',
    input: {
      /** Id of the mirror, as in `remoteMirrors.list`. */
      mirror: Id,
      ...switchesInput,
    },
    async run(ctx, { mirror: id, ...switches }, subject): Promise<RemoteMirror> {
      const mirror = await getMirror(ctx, subject.project.id, id)
      assertOneSelection(switches)
      const changes = findChanges(selectBranches(switches), mirror)
      if (!Object.keys(changes).length) return mirror
      const values = { ...changes, updatedAt: ctx.now, ...(changes.enabled === false && { nextUpdateAt: null }) }
      await ctx.db.updateTable('remoteMirror').set(values).where('id', '=', id).execute()
      if (changes.enabled ?? mirror.enabled) await requestPush(ctx, [id])
      return getMirror(ctx, subject.project.id, id)
    },
  }),

  /** Deletes a mirror with its credentials. The remote repository is not changed. */
  remove: command({
    on: project,
    can: 'mirror.manage',
    input: {
      /** Id of the mirror, as in `remoteMirrors.list`. */
      mirror: Id,
    },
    async run(ctx, { mirror }, subject) {
      await getMirror(ctx, subject.project.id, mirror)
      const { updatedAt } = await ctx.db
        .deleteFrom('remoteMirror')
        .where('id', '=', mirror)
        .returning('updatedAt')
        .executeTakeFirstOrThrow()
      assertUnmodified(ctx, updatedAt)
    },
  }),

  /** Enqueues a push to a mirror and returns the mirror as it was before. Fails with `invalid` for a disabled one. */
  sync: command({
    on: project,
    can: 'mirror.manage',
    input: {
      /** Id of the mirror, as in `remoteMirrors.list`. */
      mirror: Id,
    },
    async run(ctx, { mirror: id }, subject): Promise<RemoteMirror> {
      const mirror = await getMirror(ctx, subject.project.id, id)
      if (!mirror.enabled) throw invalid({ mirror: ['is disabled'] })
      await requestPush(ctx, [id])
      return mirror
    },
  }),
}
