import { features, type ScimList, type ScimSettings, type ScimUser, scimUserSchema } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { resourceTypes, schemas, serviceProvider, userSchema, userType } from '../scim-discovery.ts'
import { empty, one, type Send } from '../send.ts'
import { computed, type Site, wire } from '../wire.ts'

const { scim } = features

const Email = v.object({ type: v.string(), value: v.string(), primary: v.boolean() })

/** Specification 1, "SCIM user": the formatted name stands under one flat key. */
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

const addressOf = ({ groupPath, externUid }: ScimUser, { url }: Site) =>
  `${url}/api/scim/v2/groups/${encodeURIComponent(groupPath)}/Users/${encodeURIComponent(externUid)}`

/** The user that is there now, and where (RFC 7644 section 3.3). */
const createdUser: Send<ScimUser> = Object.assign(
  (user: ScimUser, site: Site) => ({
    status: 201,
    body: ScimUserWire(user, site),
    headers: { Location: addressOf(user, site) },
  }),
  { status: 201, shape: ScimUserWire },
)

/** A document that is the same for everybody. */
const document = (write: (settings: ScimSettings, site: Site) => object): Send<ScimSettings> =>
  Object.assign((settings: ScimSettings, site: Site) => ({ status: 200, body: write(settings, site) }), { status: 200 })

const base = '/api/scim/v2/groups/:group_path'
const users = `${base}/Users` as const
const inGroup = { names: { group_path: 'group' }, spans: ['group_path'] }
const listing = { ...inGroup, names: { ...inGroup.names, startIndex: 'startIndex' } }
const ofUser = { ...inGroup, names: { ...inGroup.names, id: 'user' } }

/** A provider reads what is possible before it starts (RFC 7644 section 4). */
const discovery = { ...inGroup, extension: true } as const

export const scimRoutes = [
  route(`GET ${users}`, scim.list, one(ScimListWire), listing),
  route(`POST ${users}`, scim.create, createdUser, { ...inGroup, body: 'resource' }),
  route(`GET ${users}/:id`, scim.get, one(ScimUserWire), ofUser),
  route(`PATCH ${users}/:id`, scim.patch, empty(), { ...ofUser, body: 'request' }),
  route(`DELETE ${users}/:id`, scim.remove, empty(), ofUser),
  route(`GET ${base}/ServiceProviderConfig`, scim.settings, document(serviceProvider), discovery),
  route(`GET ${base}/ResourceTypes`, scim.settings, document(resourceTypes), discovery),
  route(`GET ${base}/ResourceTypes/:id`, scim.resourceType, document(userType), {
    ...discovery,
    names: { ...inGroup.names, id: 'resourceType' },
  }),
  route(`GET ${base}/Schemas`, scim.settings, document(schemas), discovery),
  route(`GET ${base}/Schemas/:id`, scim.schema, document(userSchema), {
    ...discovery,
    names: { ...inGroup.names, id: 'schema' },
  }),
]
