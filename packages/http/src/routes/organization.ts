import * as v from 'valibot'

/** The only accepted value changes nothing; the table of unsupported parameters rejects others. */
export const organizationParameter = {
  organization_id: v.optional(
    v.pipe(v.literal(1), v.description('Id of the organization: 1, because an instance is one organization.')),
  ),
}
