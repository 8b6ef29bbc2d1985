import { features, type PagesDomain, type PagesDomainRecord } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { computed, wire } from '../wire.ts'

const { pagesDomains } = features

const domain = {
  domain: v.string(),
  url: v.string(),
  auto_ssl_enabled: v.boolean(),
  verified: v.boolean(),
  verification_code: v.string(),
  enabled_until: v.nullable(v.string()),
}

const Certificate = v.object({
  subject: v.string(),
  expired: v.boolean(),
  certificate: v.string(),
  certificate_text: v.string(),
})

/** Specification 2, "Pages domain", as its project sees it. The private key is in no answer. */
const PagesDomainWire = wire<PagesDomain>()({
  ...domain,
  certificate: computed(
    v.optional(Certificate),
    ({ certificate: known }: PagesDomain) =>
      known && {
        subject: known.subject,
        expired: known.expired,
        certificate: known.certificate,
        certificate_text: known.certificateText,
      },
  ),
})

const Expiration = v.optional(v.object({ expired: v.boolean(), expiration: v.string() }))

const expiration = computed(Expiration, ({ certificateExpiration }: PagesDomainRecord) => certificateExpiration)

/** The same in the list of all. Tools look for the end of the certificate under either name. */
const PagesDomainRecordWire = wire<PagesDomainRecord>()({
  ...domain,
  project_id: v.number(),
  certificate: expiration,
  certificate_expiration: expiration,
})

const base = '/projects/:id/pages/domains'

export const pagesDomainRoutes = [
  route('GET /pages/domains', pagesDomains.listAll, page(PagesDomainRecordWire)),
  route(`GET ${base}`, pagesDomains.list, page(PagesDomainWire)),
  route(`GET ${base}/:domain`, pagesDomains.get, one(PagesDomainWire)),
  route(`POST ${base}`, pagesDomains.create, one(PagesDomainWire)),
  route(`PUT ${base}/:domain`, pagesDomains.update, one(PagesDomainWire)),
  route(`DELETE ${base}/:domain`, pagesDomains.remove, empty()),
]
