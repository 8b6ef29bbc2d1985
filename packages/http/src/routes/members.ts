import { type AddedMembers, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { empty, mapped, one, oneOrElse, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import type { Parameters } from '../request/parameters.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { MemberWire } from '../shapes/member.ts'

const { members } = features

const userOptions = { names: { user_id: 'user' }, numericOnly: ['user_id'] } satisfies RouteOptions
const inherited = { fixedInput: { inherited: true } } satisfies RouteOptions

type Errors = Pick<AddedMembers, 'errors'>

const hasErrors = ({ errors }: Errors) => Object.keys(errors).length > 0

const addedFields = {
  /** `error` if at least one user was not added; the other users are members nevertheless. */
  status: computed(v.picklist(['success', 'error']), (result: Errors) => (hasErrors(result) ? 'error' : 'success')),
  /** Errors by username; omitted if all users were added. */
  message: computed(v.optional(v.record(v.string(), v.string())), (result: Errors) =>
    hasErrors(result) ? { ...result.errors } : undefined,
  ),
}

/** The result for several users, with an error for each user that was not added. */
const AddMembersResultWire = wire<Errors>('AddMembersResult')(addedFields)

/** A call with one user adds it or fails, so that one member without errors is the result of such a call. */
const memberOrErrors = mapped(
  ({ members: [member, ...others], errors }: AddedMembers) =>
    member && !others.length && !hasErrors({ errors }) ? { member } : { member: null, errors },
  oneOrElse('member', MemberWire, {
    status: 200,
    description: 'Several users were specified',
    shape: AddMembersResultWire,
  }),
)

const isNumeric = (value: unknown) => /^\d+$/.test(String(value)) && Number.isSafeInteger(Number(value))

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value
    : String(value)
        .split(',')
        .map((item) => item.trim())

/** Users by id or, in `username`, by name. What is neither becomes NaN, which no input accepts. */
const readUsernames = ({ username, ...sent }: Parameters): Parameters => {
  const ids = sent.user_id
  if (username === undefined || username === '')
    return ids === undefined || toList(ids).every(isNumeric) ? sent : { ...sent, user_id: Number.NaN }
  const names = toList(username)
  const isValid = ids === undefined && !names.some(isNumeric)
  return { ...sent, user_id: isValid ? names : Number.NaN }
}

const sharedRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/members`, members.list, page(MemberWire), { hidden: ['inherited', 'state'] }),
  route(`GET /${base}/:id/members/all`, members.list, page(MemberWire), inherited),
  route(`GET /${base}/:id/members/:user_id`, members.get, one(MemberWire), { ...userOptions, hidden: ['inherited'] }),
  route(`GET /${base}/:id/members/all/:user_id`, members.get, one(MemberWire), { ...userOptions, ...inherited }),
  route(`POST /${base}/:id/members`, members.add, memberOrErrors, {
    names: { user_id: 'users' },
    rewrite: readUsernames,
    wireParameters: {
      username: v.optional(v.pipe(v.string(), v.description('Usernames, separated by commas, instead of `user_id`.'))),
    },
  }),
  route(`PUT /${base}/:id/members/:user_id`, members.update, one(MemberWire), userOptions),
  route(`DELETE /${base}/:id/members/:user_id`, members.remove, empty(), userOptions),
])

/** The result of adding the members of another project. */
const ImportedMembersWire = wire<AddedMembers>('ImportedMembers')({
  ...addedFields,
  /** Members who were to be added; omitted if all were added. */
  total_members_count: computed(v.optional(Integer), ({ members, errors }: AddedMembers) =>
    hasErrors({ errors }) ? members.length + Object.keys(errors).length : undefined,
  ),
})

export const memberRoutes = [
  ...sharedRoutes,
  route('POST /projects/:id/import_project_members/:project_id', members.import, one(ImportedMembersWire), {
    extension: true,
    names: { project_id: 'from' },
    creates: false,
  }),
  route('POST /groups/:id/members/:user_id/override', members.setOverride, one(MemberWire), userOptions),
  route('DELETE /groups/:id/members/:user_id/override', members.removeOverride, one(MemberWire), userOptions),
  route('POST /groups/:id/members/sync', members.sync, one(MemberWire), {
    ...userOptions,
    extension: true,
    creates: false,
  }),
]
