import * as v from 'valibot'
import { hasProjectAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { Access } from '../../../access/levels.ts'
import { readableEvents } from '../../../access/predicates.ts'
import { withMemberProjects } from '../../../access/project-access.ts'
import { account, accountEntries, project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { command, query, type SubjectLoader } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage, paginateArray } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { type PushRecord, stripRefPrefix, toCommitTitle, toPushAction } from '../../code/repository/push.ts'
import { measurePushes } from '../../code/repository/push-volume.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import type { Event } from './event.ts'
import { type FeedInput, feedInput, listFeed, selectEvents } from './feed.ts'
import { readableProjectEvents } from './readable-project-events.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project whose events to list. */
  project: v.optional(IdOrName),
  ...accountEntries,
}

/** The project, or the user by whom events are. */
const projectOrAccount: SubjectLoader<'project' | 'currentUser' | 'user', typeof entries> = {
  kinds: ['project', 'currentUser', 'user'],
  entries,
  rules: [mutuallyExclusive('project', 'user')],
  kindOf({ project, user }) {
    if (project !== undefined) return 'project'
    return user === undefined ? 'currentUser' : 'user'
  },
  load: (ctx, { project: reference, user }) =>
    reference === undefined ? account.load(ctx, { user }) : project.load(ctx, { project: reference }),
}

const ObjectId = v.nullable(v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)))

type Reference = Readonly<Record<string, unknown>>

const listProjectEvents = (ctx: Context, subject: Subjects['project'], input: FeedInput) => {
  const rows = selectEvents(ctx.db).where('event.projectId', '=', subject.project.id)
  return listFeed(ctx, readableProjectEvents(ctx, subject), rows, input)
}

/** The events of all users in the projects of the current user. */
const listEventsAround = async (ctx: Context, input: FeedInput) => {
  const listCtx = await withMemberProjects(ctx)
  const rows = selectEvents(ctx.db).where(hasProjectAccess(listCtx, Access.guest))
  return listFeed(ctx, readableEvents(listCtx), rows, input)
}

const listUserEvents = async (ctx: Context, subject: Subjects['currentUser' | 'user'], input: FeedInput) => {
  const ownId = getUserId(ctx.actor)
  const { id, privateProfile } =
    subject.kind === 'user' ? await findUser(ctx, subject.user) : { id: ownId, privateProfile: false }
  if (privateProfile && id !== ownId && !isAdministrator(ctx.actor)) return paginateArray<Event>([], input)
  const rows = selectEvents(ctx.db).where('event.authorId', '=', id)
  return listFeed(ctx, readableEvents(await withGrants(ctx)), rows, input)
}

export const events = {
  /**
   * Lists the events of a project, of a user or, without both, of the current user that the current user can read, newest first.
   * Those of a user are of the last two years; there are none for a private profile, except for its user and administrators.
   */
  list: query({
    on: projectOrAccount,
    can: 'event.list',
    scopesByKind: { currentUser: ['read_user'], user: ['read_user'] },
    input: {
      ...feedInput,
      /**
       * `all`: instead of the events of the current user, those of all users in the projects of which they are a member. Other values
       * are ignored. Cannot be combined with `project` or `user`.
       */
      scope: v.optional(v.string()),
    },
    rules: [
      cursorInsteadOfPage,
      mutuallyExclusive<Reference>('scope', 'project'),
      mutuallyExclusive<Reference>('scope', 'user'),
    ],
    run(ctx, { scope, ...input }, subject) {
      if (subject.kind === 'project') return listProjectEvents(ctx, subject, input)
      return scope === 'all' ? listEventsAround(ctx, input) : listUserEvents(ctx, subject, input)
    },
  }),

  /**
   * Creates the event of a push to a branch or tag, without reading the repository; `repository.recordPush` reads what git has pushed.
   * `before`, `after` or both are required.
   */
  create: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the branch or tag, 1 to 1,024 characters, with or without `refs/heads/` or `refs/tags/`. */
      ref: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024)),
      /** Whether `ref` is a branch or a tag. Default: `branch`. */
      refType: v.optional(v.picklist(['branch', 'tag']), 'branch'),
      /** SHA before the push, 40 or 64 hexadecimal digits; null (default) for a new branch or tag. */
      before: v.optional(ObjectId, null),
      /** SHA after the push, 40 or 64 hexadecimal digits; null (default) for a removed branch or tag. */
      after: v.optional(ObjectId, null),
      /** Number of pushed commits. Default: 0. */
      commitCount: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
      /** Message of the last commit, of which the first line is stored, at most 70 characters; null (default) if unknown. */
      commitTitle: v.optional(v.nullable(v.string()), null),
      /** Id or username of the user who pushed: required for calls of the host, `forbidden` for users. */
      author: v.optional(IdOrName),
    },
    async run(ctx, { ref, refType, before, after, commitCount, commitTitle, author }, { project }) {
      if (before === null && after === null) throw invalid('A push requires before or after')
      const push: PushRecord = {
        commitCount,
        action: toPushAction(before, after),
        refType,
        commitFrom: before,
        commitTo: after,
        ref: stripRefPrefix(ref),
        commitTitle: toCommitTitle(commitTitle),
      }
      const userId = await resolveAuthorId(ctx, author)
      const [volume] = measurePushes([push])
      const pushed = { projectId: project.id, userId, push, cause: null, pushOptions: [] }
      await ctx.emit('code.pushed', { ...pushed, volume: defined(volume) })
      return push
    },
  }),
}
