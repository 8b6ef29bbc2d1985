import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { DateOnly, IdOrName, Instant, normalizeInstant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { isEmail } from '../../shared/text.ts'
import { findUser } from '../accounts/queries.ts'
import { webUrlProblem } from '../settings/web-url.ts'
import { userDetails } from './queries.ts'
import type { UserDetail } from './user-detail.ts'

const Text = v.optional(v.pipe(v.string(), v.maxLength(255)))
const Time = v.optional(v.nullable(Instant))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))

const profileInput = {
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

const parseOptionalInstant = <T extends string | null | undefined>(text: T) => (text ? normalizeInstant(text) : text)

const assertValidLinks = ({
  publicEmail = '',
  websiteUrl = '',
}: {
  publicEmail?: string | undefined
  websiteUrl?: string | undefined
}) => {
  const problem = websiteUrl === '' ? undefined : webUrlProblem(websiteUrl)
  const problems = {
    ...(publicEmail !== '' && !isEmail(publicEmail) && { publicEmail: ['is invalid'] }),
    ...(problem !== undefined && { websiteUrl: [`is blocked: ${problem}`] }),
  }
  if (Object.keys(problems).length) throw invalid(problems)
}

const getUserDetail = async (ctx: Context, ref: number | string): Promise<UserDetail> => {
  const { id } = await findUser(ctx, ref)
  return (await userDetails(ctx, [id])).get(id) as UserDetail
}

export const profiles = {
  /** All details of a user. */
  get: query({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName },
    run: (ctx, { user }) => getUserDetail(ctx, user),
  }),

  /** Updates the profile, the sign-in times and the limits of a user. */
  update: command({
    on: instance,
    can: 'user.manage',
    input: { user: IdOrName, ...profileInput },
    async run(ctx, { user, ...details }) {
      const { id } = await findUser(ctx, user)
      assertValidLinks(details)
      const change = {
        ...details,
        lastSignInAt: parseOptionalInstant(details.lastSignInAt),
        currentSignInAt: parseOptionalInstant(details.currentSignInAt),
        confirmedAt: parseOptionalInstant(details.confirmedAt),
        updatedAt: ctx.now,
      }
      await ctx.db.updateTable('user').set(change).where('id', '=', id).execute()
      return getUserDetail(ctx, id)
    },
  }),
}
