import { type ScimSettings, scimUserSchema } from '@forgelet/core/operations'
import type { Site } from './wire.ts'

/** What a provider can read about the service: RFC 7643 sections 5 to 7, RFC 7644 section 4. */

const core = 'urn:ietf:params:scim:schemas:core:2.0'

const listOf = (resources: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: resources.length,
  itemsPerPage: resources.length,
  startIndex: 1,
  Resources: resources,
})

const supported = { supported: true }
const unsupported = { supported: false }

export const serviceProvider = ({ groupPath, maximumResults }: ScimSettings, { url }: Site): object => ({
  schemas: [`${core}:ServiceProviderConfig`],
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
      description: 'Authorization: Bearer with a token that an administrator has made for this group',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${url}/api/scim/v2/groups/${encodeURIComponent(groupPath)}/ServiceProviderConfig`,
  },
})

/** The kind of resource that there is. */
export const userType = (): object => ({
  schemas: [`${core}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'A member of the group',
  schema: scimUserSchema,
  meta: { resourceType: 'ResourceType' },
})

export const resourceTypes = (): object => listOf([userType()])

type Details = Readonly<Record<string, unknown>>

const attribute = (name: string, type: string, description: string, details: Details = {}) => ({
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

const emailParts = [
  attribute('value', 'string', 'The address', { required: true }),
  attribute('type', 'string', 'What it is for', { canonicalValues: ['work'] }),
  attribute('primary', 'boolean', 'True for the one that counts'),
]

const nameParts = [
  attribute('formatted', 'string', 'The display name'),
  attribute('givenName', 'string', 'Counts together with the family name', { returned: 'never' }),
  attribute('familyName', 'string', 'Counts together with the given name', { returned: 'never' }),
]

const userAttributes = [
  attribute('externalId', 'string', 'What the provider calls the user; the id of the resource', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('userName', 'string', 'The username; an e-mail address is cut to what stands before the @', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'complex', 'Answered as name.formatted', { required: true, subAttributes: nameParts }),
  attribute('emails', 'complex', 'The work address', { required: true, multiValued: true, subAttributes: emailParts }),
  attribute('active', 'boolean', 'False ends the link to the provider and the membership of the group'),
]

/** What a user is made of. */
export const userSchema = (): object => ({
  schemas: [`${core}:Schema`],
  id: scimUserSchema,
  name: 'User',
  description: 'A member of the group',
  attributes: userAttributes,
  meta: { resourceType: 'Schema' },
})

export const schemas = (): object => listOf([userSchema()])
