import * as v from 'valibot'
import { currentUser, instance, user } from '../../../access/subjects.ts'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const impersonation = v.optional(v.boolean())

/** The input fields that select the tokens of a list. */
export const ownerInput = {
  /** Id (number) or username (string, case-insensitive) of the user. Default: all whose tokens the current user can see. */
  user: v.optional(IdOrName),
  /** Only tokens that administrators created to act as the user (true), or only others. Default: both. */
  impersonation,
}

/** The input fields that identify a token. */
export const tokenInput = {
  /** Id of the token, as in `tokens.list`. Default: the token that authenticates the call. */
  token: v.optional(Id),
  /** Only a token that administrators created to act as the user (true), or only another one. Default: either. */
  impersonation,
}

/** The instance, where the user is a filter; the user for tokens that only administrators see. */
export const tokenOwner: SubjectLoader<'user' | 'instance', typeof ownerInput> = {
  kinds: ['user', 'instance'],
  entries: ownerInput,
  kindOf: (input) => (input.user !== undefined && input.impersonation ? 'user' : 'instance'),
  load: (ctx, input) =>
    input.user !== undefined && input.impersonation ? user.load(ctx, { user: input.user }) : instance.load(ctx, {}),
}

const referenceEntries = {
  /** Id (number) or username (string, case-insensitive) of the user who has the token. Default: any user. */
  user: ownerInput.user,
  token: tokenInput.token,
}

/** What has a token: a user or the instance; without a token in the input, the current user for the one that authenticates the call. */
export const tokenHolder: SubjectLoader<'user' | 'instance' | 'currentUser', typeof referenceEntries> = {
  kinds: ['user', 'instance', 'currentUser'],
  entries: referenceEntries,
  rules: [
    (input) =>
      input.user !== undefined && input.token === undefined ? { fields: ['token'], message: 'is missing' } : undefined,
  ],
  kindOf(input) {
    if (input.user !== undefined) return 'user'
    return input.token === undefined ? 'currentUser' : 'instance'
  },
  load(ctx, input) {
    if (input.user !== undefined) return user.load(ctx, { user: input.user })
    return (input.token === undefined ? currentUser : instance).load(ctx, {})
  },
}
