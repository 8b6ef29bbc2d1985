import { features, type ScimList, type ScimSettings, type ScimUser, scimUserSchema } from '@forgelet/core/operations'
import * as v from 'valibot'
import {
  describeResourceTypes,
  describeSchemas,
  describeServiceProvider,
  describeUserSchema,
  describeUserType,
} from '../protocols/scim-discovery.ts'
import {
  ResourceTypeListSchema,
  ResourceTypeSchema,
  ServiceProviderSchema,
  UserSchemaListSchema,
  UserSchemaSchema,
} from '../protocols/scim-discovery-schemas.ts'
import { NewUserBody, PatchBody, selectionParameters, UserBody } from '../protocols/scim-request-schemas.ts'
import { Integer } from '../reply/field-types.ts'
import { empty, one, type Responder } from '../reply/responders.ts'
import { computed, document, list, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { scim } = features

const Email = v.object({
  /** Kind of address: `work`. */
  type: v.optional(v.string()),
  /** E-mail address. */
  value: v.optional(v.string()),
  /** Whether this is the main address. */
  primary: v.optional(v.boolean()),
})

/**
 * Specification 1, "SCIM user": the formatted name has the flat key `name.formatted`. `attributes` and `excludedAttributes`
 * select all fields except `id` and `schemas`, so clients cannot rely on the others.
 */
const ScimUserWire = wire<ScimUser>('ScimUser')({
  /** URNs of the SCIM schemas of the resource. */
  schemas: computed(v.array(v.string()), () => [scimUserSchema]),
  /** Id of the user at the identity provider. */
  id: computed(v.string(), ({ externUid }: ScimUser) => externUid),
  active: v.optional(v.boolean()),
  /** E-mail addresses; one of the type `work`. */
  emails: computed(v.optional(v.array(Email)), ({ email }: ScimUser) => [
    { type: 'work', value: email, primary: true },
  ]),
  /** Full name. */
  'name.formatted': computed(v.optional(v.string()), ({ name }: ScimUser) => name),
  /** Metadata of the resource. */
  meta: computed(
    v.optional(
      v.object({
        /** Kind of resource. */
        resourceType: v.optional(v.literal('User')),
      }),
    ),
    () => ({ resourceType: 'User' }) as const,
  ),
  /** Username. */
  userName: computed(v.optional(v.string()), ({ username }: ScimUser) => username),
})

const ScimListWire = wire<ScimList>('ScimList')({
  /** URN of the SCIM list response. */
  schemas: computed(v.array(v.string()), () => ['urn:ietf:params:scim:api:messages:2.0:ListResponse']),
  /** Number of users that match the filter. */
  totalResults: Integer,
  /** Maximum number of users in a response. */
  itemsPerPage: Integer,
  /** 1-based position of the first user of this response. */
  startIndex: Integer,
  /** Users of this page. */
  Resources: computed(list(ScimUserWire), ({ users }: ScimList) => users),
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
const respondWithDocument = (
  title: string,
  schema: v.GenericSchema,
  createDocument: (settings: ScimSettings, site: Site) => object,
): Responder<ScimSettings> => {
  const shape = document(title, schema, createDocument)
  return Object.assign((settings: ScimSettings, site: Site) => ({ status: 200, body: shape.map(settings, site) }), {
    status: 200,
    shape,
  })
}

const serviceProvider = respondWithDocument('ScimServiceProvider', ServiceProviderSchema, describeServiceProvider)
const resourceTypes = respondWithDocument('ScimResourceTypeList', ResourceTypeListSchema, describeResourceTypes)
const userType = respondWithDocument('ScimResourceType', ResourceTypeSchema, describeUserType)
const schemas = respondWithDocument('ScimSchemaList', UserSchemaListSchema, describeSchemas)
const userSchema = respondWithDocument('ScimSchema', UserSchemaSchema, describeUserSchema)

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
const wholeOptions = { ...discoveryOptions, hidden: ['resourceType', 'schema'] } satisfies RouteOptions

export const scimRoutes = [
  route(`GET ${usersPath}`, scim.list, one(ScimListWire), { ...listOptions, wireParameters: selectionParameters }),
  route(`POST ${usersPath}`, scim.create, createdUser, {
    ...groupOptions,
    body: 'resource',
    bodySchema: NewUserBody,
    wireParameters: selectionParameters,
  }),
  route(`GET ${usersPath}/:id`, scim.get, one(ScimUserWire), { ...userOptions, wireParameters: selectionParameters }),
  route(`PUT ${usersPath}/:id`, scim.replace, one(ScimUserWire), {
    ...userOptions,
    body: 'resource',
    bodySchema: UserBody,
    wireParameters: selectionParameters,
    extension: true,
  }),
  route(`PATCH ${usersPath}/:id`, scim.patch, empty(), { ...userOptions, body: 'request', bodySchema: PatchBody }),
  route(`DELETE ${usersPath}/:id`, scim.remove, empty(), userOptions),
  route(`GET ${groupBasePath}/ServiceProviderConfig`, scim.getSettings, serviceProvider, wholeOptions),
  route(`GET ${groupBasePath}/ResourceTypes`, scim.getSettings, resourceTypes, wholeOptions),
  route(`GET ${groupBasePath}/ResourceTypes/:id`, scim.getSettings, userType, {
    ...discoveryOptions,
    names: { ...groupOptions.names, id: 'resourceType' },
    hidden: ['schema'],
  }),
  route(`GET ${groupBasePath}/Schemas`, scim.getSettings, schemas, wholeOptions),
  route(`GET ${groupBasePath}/Schemas/:id`, scim.getSettings, userSchema, {
    ...discoveryOptions,
    names: { ...groupOptions.names, id: 'schema' },
    hidden: ['resourceType'],
  }),
]
