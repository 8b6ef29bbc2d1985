import { type ScimSettings, scimUserSchema } from '@forgelet/core/operations'
import type { Site } from '../reply/wire.ts'

/** Discovery documents: RFC 7643, sections 5 to 7, and RFC 7644, section 4. */

const coreSchema = 'urn:ietf:params:scim:schemas:core:2.0'

const toListResponse = (resources: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: resources.length,
  itemsPerPage: resources.length,
  startIndex: 1,
  Resources: resources,
})

const supported = { supported: true }
const unsupported = { supported: false }

export const describeServiceProvider = ({ groupPath, maximumResults }: ScimSettings, { url }: Site): object => ({
  schemas: [`${coreSchema}:ServiceProviderConfig`],
  patch: supported,
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maximumResults },
  changePassword: unsupported,
  sort: unsupported,
  etag: unsupported,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token of the group',
      description: 'Authorization: Bearer with a SCIM token that an administrator created for this group',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${url}/api/scim/v2/groups/${encodeURIComponent(groupPath)}/ServiceProviderConfig`,
  },
})

export const describeUserType = (): object => ({
  schemas: [`${coreSchema}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'A member of the group',
  schema: scimUserSchema,
  meta: { resourceType: 'ResourceType' },
})

export const describeResourceTypes = (): object => toListResponse([describeUserType()])

type AttributeOptions = Readonly<Record<string, unknown>>

const describeAttribute = (name: string, type: string, description: string, details: AttributeOptions = {}) => ({
  name,
  type,
  multiValued: false,
  description,
  required: false,
  ...(type === 'string' && { caseExact: false }),
  mutability: 'readWrite',
  returned: 'default',
  ...(type !== 'complex' && type !== 'boolean' && { uniqueness: 'none' }),
  ...details,
})

const emailSubAttributes = [
  describeAttribute('value', 'string', 'The e-mail address', { required: true }),
  describeAttribute('type', 'string', 'The purpose of the address; always work', {
    canonicalValues: ['work'],
    mutability: 'readOnly',
  }),
  describeAttribute('primary', 'boolean', 'True, since there is only one address', { mutability: 'readOnly' }),
]

/** The attributes of responses, without the common attributes `id` and `meta` (RFC 7643, section 3.1). */
const userAttributes = [
  describeAttribute('userName', 'string', 'The username; of an e-mail address, only the part before the @ is used', {
    required: true,
    uniqueness: 'server',
  }),
  describeAttribute('name', 'complex', 'Returned as name.formatted', {
    required: true,
    subAttributes: [describeAttribute('formatted', 'string', 'The display name')],
  }),
  describeAttribute('emails', 'complex', 'The work e-mail address', {
    required: true,
    multiValued: true,
    subAttributes: emailSubAttributes,
  }),
  describeAttribute('active', 'boolean', 'False removes the link to the identity provider and the group membership'),
]

export const describeUserSchema = (): object => ({
  schemas: [`${coreSchema}:Schema`],
  id: scimUserSchema,
  name: 'User',
  description: 'A member of the group',
  attributes: userAttributes,
  meta: { resourceType: 'Schema' },
})

export const describeSchemas = (): object => toListResponse([describeUserSchema()])
