import * as v from 'valibot'
import { AvatarInput } from '../avatars/avatar.ts'

/** The fields of an account that can change, except the username. */
export const accountInput = {
  /** Display name, not blank. Default for a new user: the username. */
  name: v.optional(v.string()),
  /** At most 255 characters, unique regardless of case. Default for a new user: `<username>@users.invalid`. */
  email: v.optional(v.string()),
  /** Whether the user is an administrator, with access to all projects, groups and settings. Default for a new user: false. */
  admin: v.optional(v.boolean()),
  /** Whether the user sees internal projects and groups only as a member. Default for a new user: false. */
  external: v.optional(v.boolean()),
  /** Whether only administrators and the user can list the user's events. Default for a new user: false. */
  privateProfile: v.optional(v.boolean()),
  /** URL of the user's picture; null, the default for a new user, for the Gravatar of the public e-mail address or a pattern. */
  avatarUrl: v.optional(v.nullable(v.string())),
  /** The user's picture as a file, instead of `avatarUrl`; null for none. */
  avatar: AvatarInput,
}
