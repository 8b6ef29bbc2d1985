import { features, type PagesDomain, type PagesDomainRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { pagesDomains } = features

const domainFields = {
  domain: v.string(),
  url: v.string(),
  auto_ssl_enabled: v.boolean(),
  verified: v.boolean(),
  verification_code: v.string(),
  enabled_until: NullableDateTime,
}

const Certificate = v.object({
  subject: v.string(),
  expired: v.boolean(),
  certificate: v.string(),
  certificate_text: v.string(),
})

/** Specification 2, "Pages domain". The private key is never returned. */
const PagesDomainWire = wire<PagesDomain>('PagesDomain')({
  ...domainFields,
  certificate: computed(
    v.optional(Certificate),
    ({ certificate }: PagesDomain) =>
      certificate && {
        subject: certificate.subject,
        expired: certificate.expired,
        certificate: certificate.certificate,
        certificate_text: certificate.certificateText,
      },
  ),
})

const ExpirationSchema = v.optional(
  v.object({
    /** Whether the certificate has expired. */
    expired: v.boolean(),
    /** When the certificate expires. */
    expiration: v.string(),
  }),
)

const expirationField = computed(
  ExpirationSchema,
  ({ certificateExpiration }: PagesDomainRecord) => certificateExpiration,
)

/** A domain in the list of all domains. Clients read the expiration under either name. */
const PagesDomainRecordWire = wire<PagesDomainRecord>('PagesDomainRecord')({
  ...domainFields,
  project_id: Integer,
  /** Expiry of the certificate; absent without one. */
  certificate: expirationField,
  certificate_expiration: expirationField,
})

const base = '/projects/:id/pages/domains'

export const pagesDomainRoutes = [
  route('GET /pages/domains', pagesDomains.listAll, page(PagesDomainRecordWire)),
  route(`GET ${base}`, pagesDomains.list, page(PagesDomainWire)),
  route(`GET ${base}/:domain`, pagesDomains.get, one(PagesDomainWire)),
  route(`POST ${base}`, pagesDomains.create, one(PagesDomainWire)),
  route(`PUT ${base}/:domain`, pagesDomains.update, one(PagesDomainWire)),
  route(`DELETE ${base}/:domain`, pagesDomains.remove, empty(), { errors: [412] }),
]
