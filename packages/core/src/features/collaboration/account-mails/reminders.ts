import { type Context, today } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { findAccessRequestApprovers } from '../../spaces/access-requests/approvers.ts'
import { nameContainer } from './container.ts'
import { requestAccountMail } from './request.ts'

/** Days before the end of tokens on which their users are told, as in GitLab; 0: those of users have expired. */
const tokenDays = [60, 30, 7, 0]
/** Days before the end of memberships on which members are told, as in GitLab. */
const memberDays = 7
/** Names that a message lists. */
const maxNames = 100

const addDays = (instant: string, days: number) => addSeconds(instant, days * 86_400).slice(0, 10)

const inDays = ({ now }: Pick<Context, 'now'>, days: number) => addDays(now, days)

/** The day of the next reminder, if no token and no membership changes. */
export async function findNextReminder(ctx: Pick<Context, 'db' | 'now'>): Promise<string | undefined> {
  const candidates: string[] = []
  for (const [table, days] of [
    ...tokenDays.map((one) => ['personalAccessToken', one] as const),
    ['member', memberDays] as const,
  ]) {
    const row = await ctx.db
      .selectFrom(table)
      .where('expiresAt', '>=', inDays(ctx, days))
      .orderBy('expiresAt')
      .limit(1)
      .select('expiresAt')
      .executeTakeFirst()
    if (row?.expiresAt) candidates.push(addDays(`${row.expiresAt}T00:00:00.000Z`, -days))
  }
  return candidates.sort()[0]
}

const toText = (days: number, names: readonly string[]) => [
  days === 0 ? 'These access tokens have expired:' : `These access tokens expire in ${days} days:`,
  names
    .slice(0, maxNames)
    .map((name) => `- ${name}`)
    .join('\n'),
  'Rotate them or create new ones, so that the programs that use them continue to work.',
]

const toSubject = (days: number) =>
  days === 0 ? 'Your access tokens have expired' : `Your access tokens will expire in ${days} days or less`

/** Tells the users of personal access tokens, and those who manage the projects and groups of others, when they expire. */
export async function remindOfTokens(ctx: Context): Promise<void> {
  for (const days of tokenDays) {
    const rows = await ctx.db
      .selectFrom('personalAccessToken')
      .where('expiresAt', '=', inDays(ctx, days))
      .where('revokedAt', 'is', null)
      .where('impersonation', '=', false)
      .orderBy('id')
      .select(['userId', 'name', 'projectId', 'groupId'])
      .execute()
    const ofHolder = Map.groupBy(rows, ({ userId }) => userId)
    for (const [userId, tokens] of ofHolder) {
      const [{ projectId, groupId } = { projectId: null, groupId: null }] = tokens
      const mail = {
        subject: toSubject(days),
        text: toText(
          days,
          tokens.map(({ name }) => name),
        ),
      }
      if (projectId === null && groupId === null) {
        await requestAccountMail(ctx, [userId], mail)
        continue
      }
      const about = { projectId, groupId }
      const container = days === 0 ? undefined : await nameContainer(ctx, about)
      if (!container) continue
      await requestAccountMail(ctx, await findAccessRequestApprovers(ctx, about), {
        subject: `${mail.subject} (${container.title})`,
        text: [...mail.text, container.link('View it')],
        about,
      })
    }
  }
}

/** Tells members a week before their memberships expire. */
export async function remindOfMemberships(ctx: Context): Promise<void> {
  const members = await ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.expiresAt', '=', inDays(ctx, memberDays))
    .where('member.expiresAt', '>', today(ctx))
    .where('user.bot', '=', false)
    .orderBy('member.id')
    .select(['member.userId', 'member.projectId', 'member.groupId', 'member.expiresAt'])
    .execute()
  for (const { userId, expiresAt, ...about } of members) {
    const container = await nameContainer(ctx, about)
    if (!container) continue
    await requestAccountMail(ctx, [userId], {
      subject: `Your membership of the ${container.title} will expire in ${memberDays} days`,
      text: [
        `Your access to the ${container.title} ends on ${expiresAt}. Its owners can extend it.`,
        container.link('View it'),
      ],
      about,
    })
  }
}
