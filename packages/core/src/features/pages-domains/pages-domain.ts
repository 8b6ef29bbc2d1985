import type { X509Certificate } from 'node:crypto'
import { type CertificateDetails, certificateDetails } from './certificate.ts'
import { readCertificateChain } from './certificate-chain.ts'

/** A domain under which the pages of a project are found: specification 2, "Pages domain". */
export interface PagesDomain {
  domain: string
  projectId: number
  /** `https` where there is a certificate. */
  url: string
  /** Certificates are got and renewed by themselves, where the host has somebody who issues them. */
  autoSslEnabled: boolean
  verified: boolean
  /** `gitlab-pages-verification-code=<code>` is the text record that shows whose domain it is. */
  verificationCode: string
  /** Until when the last proof of ownership holds; null before the first. */
  enabledUntil: string | null
  /** Absent where there is none. */
  certificate?: CertificateDetails
}

/** What administrators see of a domain in the list of all. */
export interface PagesDomainRecord extends Omit<PagesDomain, 'certificate'> {
  certificateExpiration?: { expired: boolean; expiration: string }
}

export interface PagesDomainRow {
  readonly id: number
  readonly projectId: number
  readonly name: string
  readonly autoSslEnabled: boolean
  readonly certificate: string | null
  readonly sealedKey: string | null
  readonly certificateStartsAt: string | null
  readonly certificateEndsAt: string | null
  readonly verificationCode: string
  readonly verifiedAt: string | null
  readonly enabledUntil: string | null
  readonly createdAt: string
}

type Plain = Omit<PagesDomainRow, 'certificate' | 'sealedKey' | 'createdAt'>

const withoutCertificate = (row: Plain): Omit<PagesDomain, 'certificate'> => ({
  domain: row.name,
  projectId: row.projectId,
  url: `${row.certificateEndsAt === null ? 'http' : 'https'}://${row.name}`,
  autoSslEnabled: row.autoSslEnabled,
  verified: row.verifiedAt !== null,
  verificationCode: row.verificationCode,
  enabledUntil: row.enabledUntil,
})

/** A domain with its certificate as it is at the given instant (ISO 8601). */
export const toPagesDomain = (row: PagesDomainRow, now: string): PagesDomain => ({
  ...withoutCertificate(row),
  ...(row.certificate !== null && { certificate: certificateDetails(row.certificate, now) }),
})

/** A domain as administrators list it; nothing has to be read of the certificate itself. */
export const toPagesDomainRecord = (row: Plain, now: string): PagesDomainRecord => {
  const { certificateStartsAt: from, certificateEndsAt: expiration } = row
  const expired = from !== null && expiration !== null && (now < from || now > expiration)
  return { ...withoutCertificate(row), ...(expiration !== null && { certificateExpiration: { expired, expiration } }) }
}

/** The columns that an accepted certificate fills; `null` empties them. */
export const certificateColumns = (
  pem: string | null,
): Pick<PagesDomainRow, 'certificate' | 'certificateStartsAt' | 'certificateEndsAt'> => {
  const leaf: X509Certificate | undefined = pem === null ? undefined : readCertificateChain(pem)?.leaf
  return {
    certificate: pem,
    certificateStartsAt: leaf?.validFromDate.toISOString() ?? null,
    certificateEndsAt: leaf?.validToDate.toISOString() ?? null,
  }
}

/** Where the private key of a domain belongs. */
export const keyContext = (id: number): string => `pages_domain.${id}.key`

/** The names whose text records may hold the code, and the record that has to be there. Tools that set it up know these words. */
export const proofOf = (name: string, code: string): { names: readonly string[]; record: string } => ({
  names: [`_gitlab-pages-verification-code.${name}`, name],
  record: `gitlab-pages-verification-code=${code}`,
})

const day = 86_400_000

/** How long a proof of ownership holds: a name service that is down for days takes nothing away. */
export const proofHolds = 7 * day

/** Certificates that come by themselves are renewed so long before their end. */
const renewal = 30 * day

/** Whether a certificate is to be got now: there is none, or it ends soon. Those that people brought are left alone till then. */
export const needsCertificate = (row: PagesDomainRow, now: string): boolean =>
  row.autoSslEnabled &&
  row.verifiedAt !== null &&
  (row.certificateEndsAt === null || Date.parse(row.certificateEndsAt) - Date.parse(now) < renewal)
