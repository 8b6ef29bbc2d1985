import * as v from 'valibot'

/**
 * The schemas of requests, for the OpenAPI document: RFC 7643, section 4.1, and RFC 7644, sections 3.5.2 and 3.9. The
 * operations also accept other attributes, and names in any case.
 */

const Text = v.pipe(v.string(), v.maxLength(255))
const OptionalText = v.optional(Text)
const Flag = v.optional(v.union([v.boolean(), v.picklist(['true', 'false', 'True', 'False'])]))

const userEntries = {
  schemas: v.optional(v.array(v.string())),
  userName: v.pipe(Text, v.description('The username; of an e-mail address, only the part before the @ is used')),
  name: v.pipe(
    v.object({ formatted: OptionalText, givenName: OptionalText, familyName: OptionalText }),
    v.description('At least one part, or `displayName`'),
  ),
  displayName: OptionalText,
  emails: v.pipe(
    v.array(v.object({ value: Text, type: OptionalText, primary: Flag })),
    v.minLength(1),
    v.description('With an entry of type `work`'),
  ),
  active: Flag,
}

const ExternalId = v.pipe(Text, v.description('The id of the user at the identity provider'))

export const NewUserBody: v.GenericSchema = v.object({ ...userEntries, externalId: ExternalId })

export const UserBody: v.GenericSchema = v.object({ ...userEntries, externalId: v.optional(ExternalId) })

const PatchOperation = v.object({
  op: v.pipe(v.string(), v.description('`add`, `replace` or `remove`, in any case')),
  path: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'An attribute such as `active` or `emails[type eq "work"].value`; absent if `value` is an object of attributes',
      ),
    ),
  ),
  value: v.optional(v.unknown()),
})

export const PatchBody: v.GenericSchema = v.object({
  schemas: v.optional(v.array(v.string())),
  Operations: v.pipe(v.array(PatchOperation), v.maxLength(100)),
})

/** Select the attributes of users in responses. */
export const selectionParameters = {
  attributes: v.optional(v.pipe(v.string(), v.description('Names of the returned attributes, separated by commas'))),
  excludedAttributes: v.optional(
    v.pipe(v.string(), v.description('Names of attributes that are not returned, separated by commas')),
  ),
}
