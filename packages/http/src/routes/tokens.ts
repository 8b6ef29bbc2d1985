import {
  type AccessToken,
  type DeployToken,
  features,
  type NewAccessToken,
  type NewDeployToken,
  type NewToken,
  type Token,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const tokenFields = {
  id: Integer,
  user_id: Integer,
  name: v.string(),
  description: NullableText,
  scopes: computed(v.array(v.string()), ({ scopes }: Token) => [...scopes]),
  active: v.boolean(),
  revoked: v.boolean(),
  created_at: DateTime,
  last_used_at: NullableDateTime,
  expires_at: NullableDate,
}

const secretField = {
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: NewToken) => secret),
}

const personalFields = { ...tokenFields, impersonation: v.boolean() }
const accessFields = { ...tokenFields, access_level: Integer }

/** A personal access token, without its secret. */
const TokenWire = wire<Token>('PersonalAccessToken')(personalFields)

/** A new token, with its secret. */
const NewTokenWire = wire<NewToken>('NewPersonalAccessToken')({ ...personalFields, ...secretField })

/** A token of a project or group, without its secret. */
const AccessTokenWire = wire<AccessToken>('AccessToken')(accessFields)

/** A new token of a project or group, with its secret. */
const NewAccessTokenWire = wire<NewAccessToken>('NewAccessToken')({ ...accessFields, ...secretField })

const deployFields = {
  id: Integer,
  name: v.string(),
  username: v.string(),
  scopes: computed(v.array(v.string()), ({ scopes }: DeployToken) => [...scopes]),
  expires_at: NullableDateTime,
  expired: v.boolean(),
  revoked: v.boolean(),
}

/** A deploy token, without its secret. */
const DeployTokenWire = wire<DeployToken>('DeployToken')(deployFields)

/** A new deploy token, with its secret. */
const NewDeployTokenWire = wire<NewDeployToken>('NewDeployToken')({
  ...deployFields,
  /** The secret, which no other response contains. */
  token: computed(v.string(), ({ secret }: NewDeployToken) => secret),
})

const { accessTokens, deployTokens, tokens } = features

const extension = { extension: true } as const
const impersonation = '/users/:user_id/impersonation_tokens'
const personal = '/personal_access_tokens'
const userOptions = { ...extension, names: { user_id: 'user' }, numericOnly: ['user_id'] } satisfies RouteOptions
const userTokenOptions = {
  ...userOptions,
  names: { user_id: 'user', token_id: 'token' },
  hidden: ['impersonation'],
} satisfies RouteOptions
const newOptions = { ...userOptions, hidden: ['secret'], required: ['name', 'scopes'] } satisfies RouteOptions
const currentOptions = { ...extension, hidden: ['user', 'token', 'impersonation'] } satisfies RouteOptions
const tokenOptions = {
  ...extension,
  names: { id: 'token' },
  hidden: ['user'],
  fixedInput: { impersonation: false },
} satisfies RouteOptions

/** Filters and orders that the list of impersonation tokens does not have. */
const personalFilters = [
  ...['createdAfter', 'createdBefore', 'lastUsedAfter', 'lastUsedBefore', 'expiresAfter', 'expiresBefore'],
  ...['revoked', 'search', 'sort'],
]

export const tokenRoutes = [
  route(`GET ${impersonation}`, tokens.list, page(TokenWire), {
    ...userOptions,
    hidden: personalFilters,
    fixedInput: { impersonation: true },
  }),
  route(`POST ${impersonation}`, tokens.create, one(NewTokenWire), {
    ...newOptions,
    fixedInput: { impersonation: true },
  }),
  route(`GET ${impersonation}/:token_id`, tokens.get, one(TokenWire), userTokenOptions),
  route(`DELETE ${impersonation}/:token_id`, tokens.revoke, empty(), userTokenOptions),
  route(`POST /users/:user_id${personal}`, tokens.create, one(NewTokenWire), {
    ...newOptions,
    fixedInput: { impersonation: false },
  }),
  route('POST /user/personal_access_tokens', tokens.create, one(NewTokenWire), {
    ...extension,
    accepts: { scopes: v.pipe(v.array(v.picklist(['k8s_proxy', 'self_rotate'])), v.minLength(1)) },
    hidden: ['secret'],
    required: ['name', 'scopes'],
    fixedInput: { impersonation: false },
  }),
  route(`GET ${personal}`, tokens.list, page(TokenWire), { ...userOptions, fixedInput: { impersonation: false } }),
  route(`GET ${personal}/self`, tokens.get, one(TokenWire), currentOptions),
  route(`DELETE ${personal}/self`, tokens.revoke, empty(), currentOptions),
  route(`POST ${personal}/self/rotate`, tokens.rotate, one(NewTokenWire), { ...currentOptions, creates: false }),
  route(`GET ${personal}/:id`, tokens.get, one(TokenWire), tokenOptions),
  route(`DELETE ${personal}/:id`, tokens.revoke, empty(), tokenOptions),
  route(`POST ${personal}/:id/rotate`, tokens.rotate, one(NewTokenWire), { ...tokenOptions, creates: false }),
]

const parentTokenOptions = { ...extension, names: { token_id: 'token' } } satisfies RouteOptions
const newTokenOptions = { ...extension, hidden: ['secret'] } satisfies RouteOptions

export const accessTokenRoutes = (['/projects/:id/access_tokens', '/groups/:id/access_tokens'] as const).flatMap(
  (path) => [
    route(`GET ${path}`, accessTokens.list, page(AccessTokenWire), extension),
    route(`POST ${path}`, accessTokens.create, one(NewAccessTokenWire), newTokenOptions),
    route(`GET ${path}/:token_id`, accessTokens.get, one(AccessTokenWire), parentTokenOptions),
    route(`DELETE ${path}/:token_id`, accessTokens.revoke, empty(), parentTokenOptions),
    route(`POST ${path}/self/rotate`, accessTokens.rotate, one(NewAccessTokenWire), {
      ...extension,
      hidden: ['token'],
      creates: false,
    }),
    route(`POST ${path}/:token_id/rotate`, accessTokens.rotate, one(NewAccessTokenWire), {
      ...parentTokenOptions,
      creates: false,
    }),
  ],
)

export const deployTokenRoutes = [
  route('GET /deploy_tokens', deployTokens.list, page(DeployTokenWire), {
    ...extension,
    hidden: ['project', 'group'],
  }),
  ...(['/projects/:id/deploy_tokens', '/groups/:id/deploy_tokens'] as const).flatMap((path) => [
    route(`GET ${path}`, deployTokens.list, page(DeployTokenWire), extension),
    route(`POST ${path}`, deployTokens.create, one(NewDeployTokenWire), newTokenOptions),
    route(`GET ${path}/:token_id`, deployTokens.get, one(DeployTokenWire), parentTokenOptions),
    route(`DELETE ${path}/:token_id`, deployTokens.remove, empty(), parentTokenOptions),
  ]),
]
