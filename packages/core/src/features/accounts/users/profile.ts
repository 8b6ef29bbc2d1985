import * as v from 'valibot'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { DateOnly, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { defined } from '../../../shared/defined.ts'
import { isEmail } from '../../../shared/text.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'
import { accountInput } from './account-input.ts'
import { commitEmailInput, parseCommitEmail } from './commit-email.ts'
import type { UserDetail } from './user-detail.ts'
import { findUserDetail } from './user-details.ts'

const Text = v.optional(v.pipe(v.string(), v.maxLength(255)))
const Time = v.optional(v.nullable(Instant))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647))

/** The fields of a profile. */
export const profileInput = {
  /** Self-description; at most 255 characters, like all texts of a profile. An empty text removes it. */
  bio: Text,
  /** Place of residence or work, at most 255 characters. */
  location: Text,
  /** E-mail address that other users can see, or an empty text. It need not be one of the user's confirmed addresses. */
  publicEmail: Text,
  /** Skype user name, at most 255 characters. */
  skype: Text,
  /** LinkedIn profile, at most 255 characters. */
  linkedin: Text,
  /** Twitter user name, at most 255 characters. */
  twitter: Text,
  /** URL of the user's website (`http` or `https`), at most 255 characters, or an empty text. */
  websiteUrl: Text,
  /** Company or other organization, at most 255 characters. */
  organization: Text,
  /** Role in the organization, at most 255 characters. */
  jobTitle: Text,
  /** How others should refer to the user, such as `they/them`, at most 255 characters. */
  pronouns: Text,
  /** Discord user id, at most 255 characters. */
  discord: Text,
  /** GitHub user name, at most 255 characters. */
  github: Text,
  /** Text about the user, which only administrators see, at most 1,000,000 characters. */
  note: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
  ...commitEmailInput,
  /** Whether clients should show the changes of merge requests one file at a time. It has no effect on the platform. */
  viewDiffsFileByFile: v.optional(v.boolean()),
  /** Time of the sign-in before the current one: ISO 8601; UTC if it has no offset; null for none. */
  lastSignInAt: Time,
  /** Time of the most recent sign-in: ISO 8601; UTC if it has no offset; null for none. */
  currentSignInAt: Time,
  /** When the e-mail address was confirmed: ISO 8601; UTC if it has no offset. */
  confirmedAt: v.optional(Instant),
  /** Day of the last activity, such as `2026-11-21`; null for none. */
  lastActivityOn: v.optional(v.nullable(DateOnly)),
  /** Number of the color theme of the pages, from 0. It has no effect on the platform. */
  themeId: v.optional(Count),
  /** Number of the color scheme for code, from 0. It has no effect on the platform. */
  colorSchemeId: v.optional(Count),
  /** Maximum number of personal projects of the user; 0 allows none. */
  projectsLimit: v.optional(Count),
  /** Whether the user can create top-level groups; external users and bots never can. */
  canCreateGroup: v.optional(v.boolean()),
  /** Whether the user signs in with two factors, as reported by the host's sign-in. */
  twoFactorEnabled: v.optional(v.boolean()),
  /** Pipeline minutes per month on shared runners; null for no limit of the user's own. */
  sharedRunnersMinutesLimit: v.optional(v.nullable(Count)),
  /** Additional pipeline minutes on shared runners; null for none. */
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

const AccountSchema = v.object(accountInput)
const ProfileSchema = v.object(profileInput)
type Account = v.InferOutput<typeof AccountSchema>
type Profile = v.InferOutput<typeof ProfileSchema>

/** Separates the fields of the account from those of the profile. */
export const splitInput = (input: Account & Profile): readonly [Account, Profile] => {
  const entries = Object.entries(input)
  const select = (names: object) => Object.fromEntries(entries.filter(([name]) => Object.hasOwn(names, name)))
  return [select(accountInput), select(profileInput)]
}

/** Changes the profile of a user. @throws PlatformError `invalid` for an invalid link or commit address */
export const updateProfile = async (ctx: Context, id: number, details: Profile): Promise<UserDetail> => {
  assertValidLinks(details)
  const change = {
    ...details,
    ...(details.commitEmail !== undefined && { commitEmail: await parseCommitEmail(ctx, id, details.commitEmail) }),
    lastSignInAt: parseOptionalInstant(details.lastSignInAt),
    currentSignInAt: parseOptionalInstant(details.currentSignInAt),
    confirmedAt: parseOptionalInstant(details.confirmedAt),
  }
  await updateChanged(ctx, 'user', id, change)
  return defined(await findUserDetail(ctx, id))
}
