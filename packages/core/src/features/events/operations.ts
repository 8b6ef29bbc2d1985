import * as v from 'valibot'
import { holdingMany } from '../../access/holdings.ts'
import { Access } from '../../access/levels.ts'
import { readableEvents } from '../../access/predicates.ts'
import { instance, project } from '../../access/subjects.ts'
import { isAdministrator, personId } from '../../kernel/actor.ts'
import { invalid } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { pageOf } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { userIdOf } from '../issuables/author.ts'
import type { Event, PushRecord } from './event.ts'
import { allEvents, feed, feedInput } from './feed.ts'
import { firstLine, pushAction, withoutPrefix } from './push.ts'
import { readableInProject } from './readable-in-project.ts'

const ObjectId = v.nullable(v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)))

export const events = {
  /** What the caller did; with `scope: 'all'`, what anybody did in projects of which the caller is a member. */
  list: query({
    on: instance,
    can: 'event.listOwn',
    scopes: ['read_user'],
    input: { ...feedInput, scope: v.optional(v.string()) },
    run(ctx, { scope, ...input }) {
      const asking = holdingMany(ctx)
      const rows = allEvents(asking.listing)
      const narrowed =
        scope === 'all'
          ? rows.where('event.projectId', 'in', asking.held(Access.guest))
          : rows.where('event.authorId', '=', personId(ctx.actor))
      return feed(ctx, readableEvents(asking), narrowed, input)
    },
  }),

  /** What a user did, as far as the caller may see it. Private profiles show nothing, but to themselves and administrators. */
  listOfUser: query({
    on: instance,
    can: 'event.list',
    scopes: ['read_user'],
    input: { user: Reference, ...feedInput },
    async run(ctx, { user, ...input }) {
      const found = await findUser(ctx, user)
      const hidden = found.privateProfile && found.id !== personId(ctx.actor) && !isAdministrator(ctx.actor)
      if (hidden) return pageOf<Event>([], input)
      const asking = holdingMany(ctx)
      return feed(ctx, readableEvents(asking), allEvents(asking.listing).where('event.authorId', '=', found.id), input)
    },
  }),

  /** What was done in a project, as far as the caller may see it. */
  listOfProject: query({
    on: project,
    can: 'event.list',
    input: feedInput,
    run(ctx, input, subject) {
      const rows = allEvents(ctx.db).where('event.projectId', '=', subject.project.id)
      return feed(ctx, readableInProject(ctx, subject), rows, input)
    },
  }),

  /** States that a branch or tag was pushed: `before` is null for a new one, `after` for a removed one. */
  recordPush: command({
    on: project,
    can: 'code.push',
    input: {
      /** With or without `refs/heads/` or `refs/tags/`. */
      ref: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024)),
      refType: v.optional(v.picklist(['branch', 'tag']), 'branch'),
      before: v.optional(ObjectId, null),
      after: v.optional(ObjectId, null),
      /** Commits that came with it. */
      commitCount: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
      /** Message of the last commit, of which the first line is kept. */
      commitTitle: v.optional(v.nullable(v.string()), null),
      /** Only for the host application: who pushed. */
      author: v.optional(Reference),
    },
    async run(ctx, { ref, refType, before, after, commitCount, commitTitle, author }, { project }) {
      if (before === null && after === null) throw invalid('A push has a commit before or after it')
      const push: PushRecord = {
        commitCount,
        action: pushAction(before, after),
        refType,
        commitFrom: before,
        commitTo: after,
        ref: withoutPrefix(ref),
        commitTitle: firstLine(commitTitle),
      }
      await ctx.emit('code.pushed', { projectId: project.id, userId: await userIdOf(ctx, author), push })
      return push
    },
  }),
}
