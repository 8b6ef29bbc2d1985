import { features, type NewToken, type Token } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { tokens } = features

const tokenFields = {
  id: Integer,
  user_id: Integer,
  name: v.string(),
  scopes: computed(v.array(v.string()), ({ scopes }: Token) => [...scopes]),
  impersonation: v.boolean(),
  active: v.boolean(),
  revoked: v.boolean(),
  created_at: DateTime,
  last_used_at: NullableDateTime,
  expires_at: NullableDate,
}

/** A personal access token, without its secret. */
const TokenWire = wire<Token>('PersonalAccessToken')(tokenFields)

/** A new token, with its secret. */
const NewTokenWire = wire<NewToken>('NewPersonalAccessToken')({
  ...tokenFields,
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: NewToken) => secret),
})

const extension = { extension: true } as const
const userOptions = { ...extension, names: { user_id: 'user' }, numericOnly: ['user_id'] } satisfies RouteOptions
const impersonation = '/users/:user_id/impersonation_tokens'
const tokenOptions = { ...extension, names: { id: 'token' } } satisfies RouteOptions
const userTokenOptions = { ...userOptions, names: { user_id: 'user', token_id: 'token' } } satisfies RouteOptions

export const tokenRoutes = [
  route(`GET ${impersonation}`, tokens.list, page(TokenWire), { ...userOptions, fixedInput: { impersonation: true } }),
  route(`POST ${impersonation}`, tokens.create, one(NewTokenWire), {
    ...userOptions,
    hidden: ['secret'],
    required: ['name', 'scopes'],
    fixedInput: { impersonation: true },
  }),
  route(`GET ${impersonation}/:token_id`, tokens.get, one(TokenWire), userTokenOptions),
  route(`DELETE ${impersonation}/:token_id`, tokens.revokeOfUser, empty(), userTokenOptions),
  route('POST /users/:user_id/personal_access_tokens', tokens.create, one(NewTokenWire), {
    ...userOptions,
    hidden: ['secret'],
    required: ['name', 'scopes'],
    fixedInput: { impersonation: false },
  }),
  route('GET /personal_access_tokens', tokens.listVisible, page(TokenWire), extension),
  route('GET /personal_access_tokens/self', tokens.current, one(TokenWire), extension),
  route('DELETE /personal_access_tokens/self', tokens.revokeCurrent, empty(), extension),
  route('POST /personal_access_tokens/self/rotate', tokens.rotateCurrent, one(NewTokenWire), {
    ...extension,
    creates: false,
  }),
  route('GET /personal_access_tokens/:id', tokens.getVisible, one(TokenWire), tokenOptions),
  route('DELETE /personal_access_tokens/:id', tokens.revokeVisible, empty(), tokenOptions),
  route('POST /personal_access_tokens/:id/rotate', tokens.rotateVisible, one(NewTokenWire), {
    ...tokenOptions,
    creates: false,
  }),
]
