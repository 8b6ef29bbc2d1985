import { features, type ScimList, type ScimSettings, type ScimUser, scimUserSchema } from '@forgelet/core/operations'
import * as v from 'valibot'
import {
  describeResourceTypes,
  describeSchemas,
  describeServiceProvider,
  describeUserSchema,
  describeUserType,
} from '../protocols/scim-discovery.ts'
import { empty, one, type Responder } from '../reply/responders.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { scim } = features

const Email = v.object({ type: v.string(), value: v.string(), primary: v.boolean() })

/** Specification 1, "SCIM user": the formatted name has the flat key `name.formatted`. */
const ScimUserWire = wire<ScimUser>()({
  schemas: computed(v.array(v.string()), () => [scimUserSchema]),
  id: computed(v.string(), ({ externUid }: ScimUser) => externUid),
  active: v.boolean(),
  emails: computed(v.array(Email), ({ email }: ScimUser) => [{ type: 'work', value: email, primary: true }]),
  'name.formatted': computed(v.string(), ({ name }: ScimUser) => name),
  meta: computed(v.object({ resourceType: v.literal('User') }), () => ({ resourceType: 'User' }) as const),
  userName: computed(v.string(), ({ username }: ScimUser) => username),
})

const ScimListWire = wire<ScimList>()({
  schemas: computed(v.array(v.string()), () => ['urn:ietf:params:scim:api:messages:2.0:ListResponse']),
  totalResults: v.number(),
  itemsPerPage: v.number(),
  startIndex: v.number(),
  Resources: computed(v.array(v.looseObject({})), ({ users }: ScimList, site: Site) =>
    users.map((user) => ScimUserWire(user, site)),
  ),
})

const getUserUrl = ({ groupPath, externUid }: ScimUser, { url }: Site) =>
  `${url}/api/scim/v2/groups/${encodeURIComponent(groupPath)}/Users/${encodeURIComponent(externUid)}`

/** The new user, with its URL in `Location` (RFC 7644, section 3.3). */
const createdUser: Responder<ScimUser> = Object.assign(
  (user: ScimUser, site: Site) => ({
    status: 201,
    body: ScimUserWire(user, site),
    headers: { Location: getUserUrl(user, site) },
  }),
  { status: 201, shape: ScimUserWire },
)

/** A discovery document. */
const respondWithDocument = (createDocument: (settings: ScimSettings, site: Site) => object): Responder<ScimSettings> =>
  Object.assign((settings: ScimSettings, site: Site) => ({ status: 200, body: createDocument(settings, site) }), {
    status: 200,
  })

const groupBasePath = '/api/scim/v2/groups/:group_path'
const usersPath = `${groupBasePath}/Users` as const
const groupOptions = { names: { group_path: 'group' }, multiSegmentParams: ['group_path'] } satisfies RouteOptions
const listOptions = {
  ...groupOptions,
  names: { ...groupOptions.names, startIndex: 'startIndex' },
} satisfies RouteOptions
const userOptions = { ...groupOptions, names: { ...groupOptions.names, id: 'user' } } satisfies RouteOptions

/** Identity providers read these documents first (RFC 7644, section 4). */
const discoveryOptions = { ...groupOptions, extension: true } satisfies RouteOptions

export const scimRoutes = [
  route(`GET ${usersPath}`, scim.list, one(ScimListWire), listOptions),
  route(`POST ${usersPath}`, scim.create, createdUser, { ...groupOptions, body: 'resource' }),
  route(`GET ${usersPath}/:id`, scim.get, one(ScimUserWire), userOptions),
  route(`PUT ${usersPath}/:id`, scim.replace, one(ScimUserWire), { ...userOptions, body: 'resource', extension: true }),
  route(`PATCH ${usersPath}/:id`, scim.patch, empty(), { ...userOptions, body: 'request' }),
  route(`DELETE ${usersPath}/:id`, scim.remove, empty(), userOptions),
  route(
    `GET ${groupBasePath}/ServiceProviderConfig`,
    scim.settings,
    respondWithDocument(describeServiceProvider),
    discoveryOptions,
  ),
  route(
    `GET ${groupBasePath}/ResourceTypes`,
    scim.settings,
    respondWithDocument(describeResourceTypes),
    discoveryOptions,
  ),
  route(`GET ${groupBasePath}/ResourceTypes/:id`, scim.resourceType, respondWithDocument(describeUserType), {
    ...discoveryOptions,
    names: { ...groupOptions.names, id: 'resourceType' },
  }),
  route(`GET ${groupBasePath}/Schemas`, scim.settings, respondWithDocument(describeSchemas), discoveryOptions),
  route(`GET ${groupBasePath}/Schemas/:id`, scim.schema, respondWithDocument(describeUserSchema), {
    ...discoveryOptions,
    names: { ...groupOptions.names, id: 'schema' },
  }),
]
