import * as v from 'valibot'
import { container, instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid, isPlatformError, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { isEmail } from '../../../shared/text.ts'
import { findUserIdByEmail } from '../../accounts/users/email-addresses.ts'
import { findUserIfKnown } from '../../accounts/users/queries.ts'
import { openLink } from '../../administration/mail/sealed-link.ts'
import { assertEmailAllowed } from '../members/email-domains.ts'
import type { Container } from '../members/membership-rows.ts'
import { addMember, assertGrantable } from '../members/mutations.ts'
import { containerKey } from '../members/queries.ts'
import { describeRejection } from '../members/rejection.ts'
import { acceptInvitation } from './accept.ts'
import type { Invitation, InvitationResult } from './invitation.ts'
import { getInvitation, selectInvitation, selectInvitations } from './queries.ts'

const maxInvitations = 100

const Email = v.pipe(v.string(), v.maxLength(255))

/** The id of an invitation, and its address. */
const InvitationLink = v.strictTuple([v.number(), v.string()])

const emailInput = {
  /** The invited e-mail address, regardless of case. */
  email: Email,
}

interface Grant {
  readonly accessLevel: number
  readonly expiresAt: string | null
}

const toDate = (instant: string | null) => (instant === null ? null : normalizeInstant(instant).slice(0, 10))

const joinedBefore = 'User already exists in source'

const join = async (ctx: Context, subject: Container, userId: number, grant: Grant) => {
  try {
    await addMember(ctx, subject, userId, grant)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'conflict') throw conflict(joinedBefore)
    throw error
  }
}

const invite = async (ctx: Context, subject: Container, email: string, grant: Grant): Promise<void> => {
  if (!isEmail(email)) throw invalid('Invite email is invalid')
  const userId = await findUserIdByEmail(ctx, email)
  if (userId !== undefined) return join(ctx, subject, userId, grant)
  assertGrantable(ctx, subject, grant.accessLevel)
  await assertEmailAllowed(ctx, subject, async () => [email])
  if (await selectInvitation(ctx, subject, email).executeTakeFirst())
    throw conflict('Invite email has already been taken')
  await ctx.db
    .insertInto('invitation')
    .values({
      ...containerKey(subject),
      email,
      ...grant,
      createdById: getUserId(ctx.actor) || null,
      createdAt: ctx.now,
    } satisfies CompleteRow<'invitation'>)
    .execute()
  const invitation = await getInvitation(ctx, subject, email)
  await ctx.emit('invitation.created', { ...containerKey(subject), invitation })
}

export const invitations = {
  /** Lists the addresses that are invited to a project or a group and have no user yet, oldest first. */
  list: query({
    on: container,
    can: 'member.manage',
    input: {
      ...pagingEntries,
      /** Only the invitation of this complete e-mail address, regardless of case. Empty: all invitations. */
      query: v.optional(Email, ''),
    },
    run: (ctx, { query: email, ...paging }, subject) => {
      const rows = email ? selectInvitation(ctx, subject, email) : selectInvitations(ctx, subject)
      return paginate(rows.orderBy('invitation.id'), paging, (row): Invitation => row)
    },
  }),

  /**
   * Invites e-mail addresses and users. Users become members at once, also the owners of given addresses. Other addresses are
   * stored until a user has one of them, or accepts the link in the mail to it, if the platform sends mail.
   */
  create: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      /** At most 100 e-mail addresses; repeated ones count once. Required unless `users` is set. */
      emails: v.optional(v.pipe(v.array(Email), v.minLength(1), v.maxLength(maxInvitations))),
      /** Ids of at most 100 users; repeated ids count once. Required unless `emails` is set. */
      users: v.optional(v.pipe(v.array(Id), v.minLength(1), v.maxLength(maxInvitations))),
      /** The level to grant, with the rules of `members.add`. */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`, or a time on it in UTC; null for memberships without end. */
      expiresAt: v.optional(v.nullable(Instant), null),
      /** What caused the invitation, at most 255 characters. Accepted because clients send it; not stored. */
      inviteSource: v.optional(v.pipe(v.string(), v.maxLength(255))),
    },
    rules: [atLeastOne('emails', 'users')],
    async run(ctx, { emails = [], users = [], accessLevel, expiresAt }, subject): Promise<InvitationResult> {
      const grant = { accessLevel, expiresAt: toDate(expiresAt) }
      const errors: (readonly [name: string, reason: string])[] = []
      const attempt = async (name: string, action: () => Promise<unknown>) => {
        const reason = await describeRejection(action)
        if (reason !== undefined) errors.push([name, reason])
      }
      for (const id of new Set(users)) {
        const user = await findUserIfKnown(ctx, id)
        if (user) await attempt(user.username, () => join(ctx, subject, id, grant))
        else errors.push([String(id), 'User not found'])
      }
      const distinct = new Map(emails.map((email) => [email.trim().toLowerCase(), email.trim()]))
      for (const email of distinct.values()) await attempt(email, () => invite(ctx, subject, email, grant))
      return { status: errors.length ? 'error' : 'success', errors: Object.fromEntries(errors) }
    },
  }),

  /** Changes the level or the expiry date of an invitation; omitted fields stay unchanged. */
  update: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: {
      ...emailInput,
      /** The new level, with the rules of `members.add`. */
      accessLevel: v.optional(Id),
      /** The first day without access, such as `2026-11-21`, or a time on it in UTC; null removes it. */
      expiresAt: v.optional(v.nullable(Instant)),
    },
    rules: [atLeastOne('accessLevel', 'expiresAt')],
    async run(ctx, { email, accessLevel, expiresAt }, subject): Promise<Invitation> {
      const { id } = await getInvitation(ctx, subject, email)
      if (accessLevel !== undefined) assertGrantable(ctx, subject, accessLevel)
      await ctx.db
        .updateTable('invitation')
        .set({
          ...(accessLevel !== undefined && { accessLevel }),
          ...(expiresAt !== undefined && { expiresAt: toDate(expiresAt) }),
        })
        .where('id', '=', id)
        .execute()
      return getInvitation(ctx, subject, email)
    },
  }),

  /**
   * Makes the current user a member with the invitation of a mail, which is then gone. The link in the mail is the permission: the user can
   * have another address.
   *
   * @throws PlatformError `not_found` for an invitation that was accepted or withdrawn, or has expired, `conflict` for a member
   */
  accept: command({
    on: instance,
    can: 'invitation.accept',
    serializes: 'instance',
    input: {
      /** The secret part of the link. */
      key: v.pipe(v.string(), v.maxLength(1_000)),
    },
    async run(ctx, { key }): Promise<void> {
      const [id, email] = openLink(ctx, 'acceptInvitation', InvitationLink, key)
      const columns = ['id', 'projectId', 'groupId', 'email', 'accessLevel', 'expiresAt'] as const
      const row = await ctx.db.selectFrom('invitation').where('id', '=', id).select(columns).executeTakeFirst()
      if (row?.email !== email) throw notFound('Invitation')
      const { email: _, ...invitation } = row
      await acceptInvitation(ctx, getUserId(ctx.actor), invitation)
    },
  }),

  /** Withdraws an invitation. */
  remove: command({
    on: container,
    can: 'member.manage',
    serializes: 'instance',
    input: emailInput,
    async run(ctx, { email }, subject) {
      const { id } = await getInvitation(ctx, subject, email)
      await ctx.db.deleteFrom('invitation').where('id', '=', id).execute()
    },
  }),
}
