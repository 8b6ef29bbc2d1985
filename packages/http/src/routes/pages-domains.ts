import { features, type PagesDomain } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { pagesDomains } = features

/** Specification 2: without a certificate, a domain has only its name and URL. The library shows all fields. */
const ifCertified = <T>(domain: PagesDomain, value: T): T | undefined =>
  domain.certificateExpiration === undefined ? undefined : value

const domainFields = {
  domain: v.string(),
  url: v.string(),
  /** Whether the last verification found the DNS text record; omitted without a certificate. */
  verified: computed(v.optional(v.boolean()), (domain: PagesDomain) => ifCertified(domain, domain.verified)),
  /** The code of the DNS text record that proves control of the domain; omitted without a certificate. */
  verification_code: computed(v.optional(v.string()), (domain: PagesDomain) =>
    ifCertified(domain, domain.verificationCode),
  ),
  /** End of the time that the last verification covers, null before the first; omitted without a certificate. */
  enabled_until: computed(v.optional(NullableDateTime), (domain: PagesDomain) =>
    ifCertified(domain, domain.enabledUntil),
  ),
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
  /** Whether certificates are issued automatically; omitted without a certificate. */
  auto_ssl_enabled: computed(v.optional(v.boolean()), (domain: PagesDomain) =>
    ifCertified(domain, domain.autoSslEnabled),
  ),
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

/** The result of a change also has what it can change. */
const ChangedPagesDomainWire = wire<PagesDomain>('ChangedPagesDomain')({
  ...PagesDomainWire.fields,
  auto_ssl_enabled: v.boolean(),
})

const ExpirationSchema = v.optional(
  v.object({
    /** Whether the certificate has expired. */
    expired: v.boolean(),
    /** When the certificate expires. */
    expiration: v.string(),
  }),
)

const expirationField = computed(ExpirationSchema, ({ certificateExpiration }: PagesDomain) => certificateExpiration)

/** A domain in the list of all domains. Clients read the expiration under either name. */
const PagesDomainRecordWire = wire<PagesDomain>('PagesDomainRecord')({
  ...domainFields,
  project_id: Integer,
  auto_ssl_enabled: v.boolean(),
  /** Expiry of the certificate; omitted without one. */
  certificate: expirationField,
  certificate_expiration: expirationField,
})

const base = '/projects/:id/pages/domains'

export const pagesDomainRoutes = [
  route('GET /pages/domains', pagesDomains.list, page(PagesDomainRecordWire), { hidden: ['project'] }),
  route(`GET ${base}`, pagesDomains.list, page(PagesDomainWire)),
  route(`GET ${base}/:domain`, pagesDomains.get, one(PagesDomainWire)),
  route(`POST ${base}`, pagesDomains.create, one(PagesDomainWire)),
  route(`PUT ${base}/:domain`, pagesDomains.update, one(ChangedPagesDomainWire)),
  route(`DELETE ${base}/:domain`, pagesDomains.remove, empty()),
]
