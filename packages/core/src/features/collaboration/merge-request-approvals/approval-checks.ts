import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { forbidden, PlatformError } from '../../../kernel/errors.ts'
import { consumeRateLimit } from '../../../kernel/rate-limit.ts'
import { readCommitEmails } from '../../accounts/users/commit-email.ts'
import { matchesPassword } from '../../accounts/users/password-hash.ts'
import type { MergeRequestHead } from '../merge-requests/changes/head.ts'
import { readContent } from '../merge-requests/changes/refresh.ts'

/** A function that checks the password of the current user after the transaction. The host application needs none. */
export const createPasswordCheck = async (ctx: Context, password = ''): Promise<() => Promise<void>> => {
  const { actor, passwordCost } = ctx
  if (actor.kind !== 'user') return async () => undefined
  const { error } = await consumeRateLimit(ctx, {
    name: 'approval_password',
    limit: 10,
    key: `user:${actor.id}`,
    message: 'Too many attempts to approve with a password. Try again later.',
  })
  if (error) throw error
  const row = await ctx.db.selectFrom('userPassword').where('userId', '=', actor.id).select('hash').executeTakeFirst()
  return async () => {
    if (!(await matchesPassword(password, row?.hash, passwordCost)))
      throw new PlatformError('unauthenticated', 'The project requires your password for approvals')
  }
}

/** The e-mail addresses, in lowercase, of the authors and committers of a merge request. */
export const readCommitterEmails = async (runner: TransactionRunner, head: MergeRequestHead): Promise<Set<string>> => {
  const commits = (await readContent(runner, head))?.commits ?? []
  const emails = commits.flatMap(({ authorEmail, committerEmail }) => [authorEmail, committerEmail])
  return new Set(emails.map((email) => email.toLowerCase()))
}

/** @throws PlatformError `forbidden` if a user has one of the addresses of the commits */
export const assertNoCommits = async (ctx: Context, userId: number, committers: ReadonlySet<string>): Promise<void> => {
  const own = committers.size ? await readCommitEmails(ctx, userId) : committers
  if ([...own].some((email) => committers.has(email)))
    throw forbidden('Users who added commits cannot approve the merge request')
}
