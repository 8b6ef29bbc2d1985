import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { isEmail } from '../../shared/text.ts'
import { isEmailTaken } from '../accounts/email-addresses.ts'
import { findUser } from '../accounts/queries.ts'
import type { EmailAddress } from './email.ts'

const columns = ['id', 'email', 'confirmedAt'] as const

const emailInput = {
  /** An address that no user has, regardless of case. */
  email: v.pipe(v.string(), v.maxLength(255)),
}

const emailIdInput = {
  /** Id of an additional address of the user. */
  emailId: Id,
}

const selectEmails = (ctx: Context, userId: number) =>
  ctx.db.selectFrom('emailAddress').where('userId', '=', userId).orderBy('id').select(columns)

const getEmail = async (ctx: Context, userId: number, id: number): Promise<EmailAddress> => {
  const row = await selectEmails(ctx, userId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Email')
  return row
}

const insertEmail = async (
  ctx: Context,
  userId: number,
  { email, confirmed }: { readonly email: string; readonly confirmed: boolean },
): Promise<EmailAddress> => {
  if (!isEmail(email)) throw invalid({ email: ['is invalid'] })
  if (await isEmailTaken(ctx, email)) throw conflict('Email has already been taken')
  const confirmedAt = confirmed ? ctx.now : null
  const [row] = await ctx.db
    .insertInto('emailAddress')
    .values({ userId, email, createdAt: ctx.now, confirmedAt } satisfies CompleteRow<'emailAddress'>)
    .returning(columns)
    .execute()
  if (confirmed) await ctx.emit('user.emailConfirmed', { userId, email })
  return row as EmailAddress
}

const deleteEmail = async (ctx: Context, userId: number, id: number): Promise<void> => {
  const [row] = await ctx.db
    .deleteFrom('emailAddress')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .execute()
  if (!row) throw notFound('Email')
}

export const emails = {
  /** Lists the additional addresses of a user, ordered by id; for administrators. */
  list: query({
    on: instance,
    can: 'user.manage',
    input: { ...pagingEntries, ...userEntries },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(selectEmails(ctx, id), paging, (row): EmailAddress => row)
    },
  }),

  /** Gets an additional address of a user; for administrators. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { ...userEntries, ...emailIdInput },
    async run(ctx, { user, emailId }) {
      const { id } = await findUser(ctx, user)
      return getEmail(ctx, id, emailId)
    },
  }),

  /**
   * Adds an address to a user.
   *
   * @throws PlatformError `invalid` for text that is no address, `conflict` if a user has the address
   */
  add: command({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      ...emailInput,
      /** Whether the address is confirmed. Default: false. */
      skipConfirmation: v.optional(v.boolean(), false),
    },
    async run(ctx, { user, email, skipConfirmation: confirmed }) {
      const { id } = await findUser(ctx, user)
      return insertEmail(ctx, id, { email, confirmed })
    },
  }),

  /** Removes an additional address of a user. */
  remove: command({
    on: instance,
    can: 'user.manage',
    input: { ...userEntries, ...emailIdInput },
    async run(ctx, { user, emailId }) {
      const { id } = await findUser(ctx, user)
      return deleteEmail(ctx, id, emailId)
    },
  }),

  /** Lists the caller's additional addresses, ordered by id. */
  listOwn: query({
    on: instance,
    can: 'email.manageOwn',
    scopes: ['read_user'],
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectEmails(ctx, getUserId(ctx.actor)), paging, (row): EmailAddress => row),
  }),

  /** Gets one of the caller's additional addresses. */
  getOwn: query({
    on: instance,
    can: 'email.manageOwn',
    scopes: ['read_user'],
    input: emailIdInput,
    run: (ctx, { emailId }) => getEmail(ctx, getUserId(ctx.actor), emailId),
  }),

  /** Adds an address to the caller. It receives no mail until the host has confirmed it. Errors as for `add`. */
  addOwn: command({
    on: instance,
    can: 'email.manageOwn',
    input: emailInput,
    async run(ctx, { email }) {
      const { id } = await findUser(ctx, getUserId(ctx.actor))
      return insertEmail(ctx, id, { email, confirmed: false })
    },
  }),

  /** Removes one of the caller's additional addresses. */
  removeOwn: command({
    on: instance,
    can: 'email.manageOwn',
    input: emailIdInput,
    run: (ctx, { emailId }) => deleteEmail(ctx, getUserId(ctx.actor), emailId),
  }),
}
