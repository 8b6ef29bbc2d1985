import * as v from 'valibot'
import { Integer, Url } from '../reply/field-types.ts'

/** The schemas of discovery documents: RFC 7643, sections 5 to 7. */

const Texts = v.array(v.string())
const Meta = v.object({ resourceType: v.string(), location: v.optional(Url) })
const Support = v.object({ supported: v.boolean() })

const createListSchema = (resource: v.GenericSchema) =>
  v.object({
    schemas: Texts,
    totalResults: Integer,
    itemsPerPage: Integer,
    startIndex: Integer,
    Resources: v.array(resource),
  })

export const ServiceProviderSchema = v.object({
  schemas: Texts,
  patch: Support,
  bulk: v.object({ supported: v.boolean(), maxOperations: Integer, maxPayloadSize: Integer }),
  filter: v.object({ supported: v.boolean(), maxResults: Integer }),
  changePassword: Support,
  sort: Support,
  etag: Support,
  authenticationSchemes: v.array(
    v.object({ type: v.string(), name: v.string(), description: v.string(), specUri: Url, primary: v.boolean() }),
  ),
  meta: Meta,
})

export const ResourceTypeSchema = v.object({
  schemas: Texts,
  id: v.string(),
  name: v.string(),
  endpoint: v.string(),
  description: v.string(),
  schema: v.string(),
  meta: Meta,
})

export const ResourceTypeListSchema = createListSchema(ResourceTypeSchema)

const attributeFields = {
  name: v.string(),
  type: v.string(),
  multiValued: v.boolean(),
  description: v.string(),
  required: v.boolean(),
  caseExact: v.optional(v.boolean()),
  canonicalValues: v.optional(Texts),
  mutability: v.string(),
  returned: v.string(),
  uniqueness: v.optional(v.string()),
}

export const UserSchemaSchema = v.object({
  schemas: Texts,
  id: v.string(),
  name: v.string(),
  description: v.string(),
  attributes: v.array(v.object({ ...attributeFields, subAttributes: v.optional(v.array(v.object(attributeFields))) })),
  meta: Meta,
})

export const UserSchemaListSchema = createListSchema(UserSchemaSchema)
