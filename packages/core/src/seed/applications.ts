import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Application = v.strictObject({
  name: v.string(),
  redirectUri: v.string(),
  /** Scopes that the application can request, separated by blanks, such as `openid profile`. */
  scopes: v.string(),
  confidential: v.optional(v.boolean()),
  /** A fixed `client_id`, for the configuration of tests and clients. */
  applicationId: v.optional(v.string()),
  /** A fixed `client_secret`, for the configuration of tests and clients. */
  secret: v.optional(v.string()),
  createdAt: Timestamp,
})

/** OAuth applications, which users can sign in to. */
export const applicationsSection = defineSection(
  'applications',
  Application,
  async (seeder: Seeder, { createdAt, ...fields }) => {
    const { id, name, applicationId } = await seeder.asHost(createdAt).applications.create(fields)
    seeder.record('applications', name, { id, applicationId })
  },
  namedIn(
    (host) => host.applications,
    ({ name }) => name,
  ),
)
