import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import {
  AccessTokenWire,
  DeployTokenWire,
  NewAccessTokenWire,
  NewDeployTokenWire,
  NewTokenWire,
  TokenWire,
} from '../shapes/token.ts'

const { accessTokens, deployTokens, tokens } = features

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

const parentTokenOptions = { ...extension, names: { token_id: 'token' } } satisfies RouteOptions
const newTokenOptions = { ...extension, hidden: ['secret'] } satisfies RouteOptions

export const accessTokenRoutes = (['/projects/:id/access_tokens', '/groups/:id/access_tokens'] as const).flatMap(
  (path) => [
    route(`GET ${path}`, accessTokens.list, page(AccessTokenWire), extension),
    route(`POST ${path}`, accessTokens.create, one(NewAccessTokenWire), newTokenOptions),
    route(`GET ${path}/:token_id`, accessTokens.get, one(AccessTokenWire), parentTokenOptions),
    route(`DELETE ${path}/:token_id`, accessTokens.revoke, empty(), parentTokenOptions),
    route(`POST ${path}/:token_id/rotate`, accessTokens.rotate, one(NewAccessTokenWire), {
      ...parentTokenOptions,
      creates: false,
    }),
  ],
)

export const deployTokenRoutes = [
  route('GET /deploy_tokens', deployTokens.listAll, page(DeployTokenWire), extension),
  ...(['/projects/:id/deploy_tokens', '/groups/:id/deploy_tokens'] as const).flatMap((path) => [
    route(`GET ${path}`, deployTokens.list, page(DeployTokenWire), extension),
    route(`POST ${path}`, deployTokens.create, one(NewDeployTokenWire), newTokenOptions),
    route(`GET ${path}/:token_id`, deployTokens.get, one(DeployTokenWire), parentTokenOptions),
    route(`DELETE ${path}/:token_id`, deployTokens.remove, empty(), parentTokenOptions),
  ]),
]
