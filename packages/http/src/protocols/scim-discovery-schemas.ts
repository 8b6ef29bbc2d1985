import * as v from 'valibot'
import { Integer, Url } from '../reply/field-types.ts'

/** The schemas of discovery documents: RFC 7643, sections 5 to 7. */

const describe = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text))
const text = (description: string) => describe(v.string(), description)
const flag = (description: string) => describe(v.boolean(), description)
const count = (description: string) => describe(Integer, description)

const schemas = describe(v.array(v.string()), 'URNs of the SCIM schemas of the resource.')
const meta = describe(
  v.object({
    resourceType: text('Kind of resource.'),
    location: v.optional(describe(Url, 'URL of the resource.')),
  }),
  'Metadata of the resource.',
)
const support = (description: string) =>
  describe(v.object({ supported: flag('Whether it is supported.') }), description)

const createListSchema = (resource: v.GenericSchema, description: string) =>
  describe(
    v.object({
      schemas,
      totalResults: count('Number of resources.'),
      itemsPerPage: count('Maximum number of resources in a response.'),
      startIndex: count('1-based position of the first resource.'),
      Resources: describe(v.array(resource), 'Resources of this page.'),
    }),
    description,
  )

export const ServiceProviderSchema = describe(
  v.object({
    schemas,
    patch: support('Requests with PATCH.'),
    bulk: describe(
      v.object({
        supported: flag('Whether it is supported.'),
        maxOperations: count('Maximum number of operations in a request.'),
        maxPayloadSize: count('Maximum size of a request in bytes.'),
      }),
      'Several operations in one request.',
    ),
    filter: describe(
      v.object({
        supported: flag('Whether it is supported.'),
        maxResults: count('Maximum number of resources in a response.'),
      }),
      'Filters of lists.',
    ),
    changePassword: support('Changes of passwords.'),
    sort: support('Sorted lists.'),
    etag: support('Versions of resources.'),
    authenticationSchemes: describe(
      v.array(
        v.object({
          type: text('Kind of credential: `oauthbearertoken`.'),
          name: text('Name for people.'),
          description: text('Description for people.'),
          specUri: describe(Url, 'URL of the specification.'),
          primary: flag('Whether this is the preferred scheme.'),
        }),
      ),
      'Accepted credentials.',
    ),
    meta,
  }),
  'The supported parts of SCIM.',
)

export const ResourceTypeSchema = describe(
  v.object({
    schemas,
    id: text('Id of the resource type.'),
    name: text('Name of the resource type.'),
    endpoint: text('Path of the resources, relative to that of the group.'),
    description: text('Description for people.'),
    schema: text('URN of the schema of the resources.'),
    meta,
  }),
  'A kind of resource.',
)

export const ResourceTypeListSchema = createListSchema(ResourceTypeSchema, 'The kinds of resources.')

const attributeFields = {
  name: text('Name of the attribute.'),
  type: text('Type of the values.'),
  multiValued: flag('Whether the attribute is a list.'),
  description: text('Description for people.'),
  required: flag('Whether requests must contain it.'),
  caseExact: v.optional(flag('Whether the case of values is significant.')),
  canonicalValues: v.optional(describe(v.array(v.string()), 'Suggested values.')),
  mutability: text('Whether clients can change it: `readWrite`, `readOnly` or `immutable`.'),
  returned: text('When responses contain it: `always` or `default`.'),
  uniqueness: v.optional(text('Scope in which values are unique: `none`, `server` or `global`.')),
}

export const UserSchemaSchema = describe(
  v.object({
    schemas,
    id: text('URN of the schema.'),
    name: text('Name of the schema.'),
    description: text('Description for people.'),
    attributes: describe(
      v.array(
        v.object({
          ...attributeFields,
          subAttributes: v.optional(describe(v.array(v.object(attributeFields)), 'Attributes of the values.')),
        }),
      ),
      'Attributes of the resource.',
    ),
    meta,
  }),
  'The attributes of a kind of resource.',
)

export const UserSchemaListSchema = createListSchema(UserSchemaSchema, 'The schemas of all resources.')
