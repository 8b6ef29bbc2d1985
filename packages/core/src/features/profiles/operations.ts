import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { DateOnly, Instant, instant, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { isEmail } from '../../kernel/text.ts'
import { findUser } from '../accounts/queries.ts'
import { webAddressProblem } from '../settings/web-address.ts'
import { userDetails } from './queries.ts'
import type { UserDetail } from './user-detail.ts'

const Text = v.optional(v.pipe(v.string(), v.maxLength(255)))
const Time = v.optional(v.nullable(Instant))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))

const profile = {
  bio: Text,
  location: Text,
  publicEmail: Text,
  skype: Text,
  linkedin: Text,
  twitter: Text,
  websiteUrl: Text,
  organization: Text,
  lastSignInAt: Time,
  currentSignInAt: Time,
  confirmedAt: v.optional(Instant),
  lastActivityOn: v.optional(v.nullable(DateOnly)),
  themeId: v.optional(Count),
  colorSchemeId: v.optional(Count),
  projectsLimit: v.optional(Count),
  canCreateGroup: v.optional(v.boolean()),
  twoFactorEnabled: v.optional(v.boolean()),
  sharedRunnersMinutesLimit: v.optional(v.nullable(Count)),
  extraSharedRunnersMinutesLimit: v.optional(v.nullable(Count)),
}

const instantIfAny = <T extends string | null | undefined>(text: T) => (text ? instant(text) : text)

const refuseBadLinks = ({
  publicEmail = '',
  websiteUrl = '',
}: {
  publicEmail?: string | undefined
  websiteUrl?: string | undefined
}) => {
  const problem = websiteUrl === '' ? undefined : webAddressProblem(websiteUrl)
  const problems = {
    ...(publicEmail !== '' && !isEmail(publicEmail) && { publicEmail: ['is invalid'] }),
    ...(problem !== undefined && { websiteUrl: [`is blocked: ${problem}`] }),
  }
  if (Object.keys(problems).length) throw invalid(problems)
}

const detailOf = async (ctx: Context, ref: number | string): Promise<UserDetail> => {
  const { id } = await findUser(ctx, ref)
  return (await userDetails(ctx, [id])).get(id) as UserDetail
}

export const profiles = {
  /** Everything that is known of a user. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { user: Reference },
    run: (ctx, { user }) => detailOf(ctx, user),
  }),

  /** Says more about a user: what they tell of themselves, when they signed in, and their limits. */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { user: Reference, ...profile },
    async run(ctx, { user, ...given }) {
      const { id } = await findUser(ctx, user)
      refuseBadLinks(given)
      const change = {
        ...given,
        lastSignInAt: instantIfAny(given.lastSignInAt),
        currentSignInAt: instantIfAny(given.currentSignInAt),
        confirmedAt: instantIfAny(given.confirmedAt),
        updatedAt: ctx.now,
      }
      await ctx.db.updateTable('user').set(change).where('id', '=', id).execute()
      return detailOf(ctx, id)
    },
  }),
}
