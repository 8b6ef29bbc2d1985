import * as v from 'valibot'

/**
 * The schemas of requests, for the OpenAPI document: RFC 7643, section 4.1, and RFC 7644, sections 3.5.2 and 3.9. The
 * operations also accept other attributes, and names in any case.
 */

const Text = v.pipe(v.string(), v.maxLength(255))
const optionalText = (description: string) => v.optional(v.pipe(Text, v.description(description)))
const flag = (description: string) =>
  v.optional(v.pipe(v.union([v.boolean(), v.picklist(['true', 'false', 'True', 'False'])]), v.description(description)))
const schemas = v.optional(v.pipe(v.array(v.string()), v.description('URNs of the SCIM schemas of the request.')))

const userEntries = {
  schemas,
  userName: v.pipe(Text, v.description('The username; of an e-mail address, only the part before the @ is used.')),
  name: v.pipe(
    v.object({
      formatted: optionalText('Full name.'),
      givenName: optionalText('First name.'),
      familyName: optionalText('Last name.'),
    }),
    v.description('Parts of the name: at least one, or `displayName`.'),
  ),
  displayName: optionalText('Full name, if `name` has none.'),
  emails: v.pipe(
    v.array(
      v.object({
        value: v.pipe(Text, v.description('E-mail address.')),
        type: optionalText('Kind of address: `work`.'),
        primary: flag('Whether this is the main address.'),
      }),
    ),
    v.minLength(1),
    v.description('E-mail addresses, with one of the type `work`.'),
  ),
  active: flag('False removes the access of the user to the group.'),
}

const ExternalId = v.pipe(Text, v.description('Id of the user at the identity provider.'))

export const NewUserBody: v.GenericSchema = v.object({ ...userEntries, externalId: ExternalId })

export const UserBody: v.GenericSchema = v.object({ ...userEntries, externalId: v.optional(ExternalId) })

const PatchOperation = v.object({
  op: v.pipe(v.string(), v.description('`add`, `replace` or `remove`, in any case.')),
  path: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'An attribute such as `active` or `emails[type eq "work"].value`; absent if `value` is an object of attributes.',
      ),
    ),
  ),
  value: v.optional(v.pipe(v.unknown(), v.description('New value of the attribute.'))),
})

export const PatchBody: v.GenericSchema = v.object({
  schemas,
  Operations: v.pipe(v.array(PatchOperation), v.maxLength(100), v.description('Changes, in this order.')),
})

/** Select the attributes of users in responses. */
export const selectionParameters = {
  attributes: v.optional(v.pipe(v.string(), v.description('Names of the returned attributes, separated by commas.'))),
  excludedAttributes: v.optional(
    v.pipe(v.string(), v.description('Names of attributes that are not returned, separated by commas.')),
  ),
}
