import * as v from 'valibot'
import { account, instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { defined } from '../../../shared/defined.ts'
import { isEmail } from '../../../shared/text.ts'
import { getSiteUrl, sendsMail } from '../../administration/mail/compose-mail.ts'
import { openLink } from '../../administration/mail/sealed-link.ts'
import { confirmEmail, isEmailTaken } from '../users/email-addresses.ts'
import { getAccountId } from '../users/queries.ts'
import type { EmailAddress } from './email.ts'

const columns = ['id', 'email', 'confirmedAt'] as const

/** The id of an address, and the address. */
const ConfirmationLink = v.strictTuple([v.number(), v.string()])

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
  const address = defined(row)
  const siteUrl = getSiteUrl(ctx)
  if (confirmed) await ctx.emit('user.emailConfirmed', { userId, email })
  else if (sendsMail(ctx) && siteUrl !== null)
    await ctx.enqueue('emails.mailConfirmation', { emailId: address.id, siteUrl })
  return address
}

const deleteEmail = async (ctx: Context, userId: number, id: number): Promise<void> => {
  const [row] = await ctx.db
    .deleteFrom('emailAddress')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(['createdAt', 'confirmedAt'])
    .execute()
  if (!row) throw notFound('Email')
  assertUnmodified(ctx, row.confirmedAt ?? row.createdAt)
}

export const emails = {
  /** Lists the additional addresses of a user, ordered by id. */
  list: query({
    on: account,
    can: 'email.manage',
    scopesByKind: { currentUser: ['read_user'] },
    input: pagingEntries,
    run: async (ctx, paging, subject) =>
      paginate(selectEmails(ctx, await getAccountId(ctx, subject)), paging, (row): EmailAddress => row),
  }),

  /** Gets an additional address of a user. */
  get: query({
    on: account,
    can: 'email.manage',
    scopesByKind: { currentUser: ['read_user'] },
    input: emailIdInput,
    run: async (ctx, { emailId }, subject) => getEmail(ctx, await getAccountId(ctx, subject), emailId),
  }),

  /**
   * Adds an address to a user. One that is not confirmed receives only a mail with a link that confirms it, if the platform sends mail; the
   * host can confirm it, too.
   *
   * @throws PlatformError `invalid` for text that is no address, `conflict` if a user has the address
   */
  create: command({
    on: account,
    can: 'email.manage',
    input: {
      /** An address that no user has, regardless of case. */
      email: v.pipe(v.string(), v.maxLength(255)),
      /** Whether the address is confirmed; for administrators. Default: false. */
      skipConfirmation: v.optional(v.boolean(), false),
    },
    async run(ctx, { email, skipConfirmation: confirmed }, subject) {
      if (confirmed && !isAdministrator(ctx.actor)) throw forbidden('skip_confirmation is for administrators')
      return insertEmail(ctx, await getAccountId(ctx, subject), { email, confirmed })
    },
  }),

  /** Removes an additional address of a user. */
  remove: command({
    on: account,
    can: 'email.manage',
    input: emailIdInput,
    run: async (ctx, { emailId }, subject) => deleteEmail(ctx, await getAccountId(ctx, subject), emailId),
  }),

  /** Confirms the address of a mail. The link in the mail is the permission. */
  confirm: command({
    on: instance,
    can: 'email.confirm',
    input: {
      /** The secret part of the link. */
      key: v.pipe(v.string(), v.maxLength(1_000)),
    },
    async run(ctx, { key }) {
      const [id, email] = openLink(ctx, 'confirmEmail', ConfirmationLink, key)
      const rows = ctx.db.selectFrom('emailAddress').where('id', '=', id).select(['userId', 'email', 'confirmedAt'])
      const row = await rows.executeTakeFirst()
      if (row?.email !== email) throw notFound('Email')
      const { userId } = row
      if (row.confirmedAt === null && (await confirmEmail(ctx, userId, email)))
        await ctx.emit('user.emailConfirmed', { userId, email })
    },
  }),
}
