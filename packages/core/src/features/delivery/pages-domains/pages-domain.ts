import type { X509Certificate } from 'node:crypto'
import { type CertificateDetails, certificateDetails } from './certificate.ts'
import { readCertificateChain } from './certificate-chain.ts'

/** A domain that serves the pages of a project: specification 2, "Pages domain". */
export interface PagesDomain {
  /** Host name, such as `www.example.com`, in the case in which it was added. */
  domain: string
  /** Id of the project whose pages the domain serves. */
  projectId: number
  /** URL of the pages: `https` if the domain has a certificate, else `http`. */
  url: string
  /** Certificates are issued and renewed automatically if the host's `certificates` port issues any. */
  autoSslEnabled: boolean
  /** Whether the last verification found the DNS text record; false before the first. */
  verified: boolean
  /** The DNS text record `gitlab-pages-verification-code=<code>` proves control of the domain. */
  verificationCode: string
  /**
   * End of the 7 days that the last successful verification covers: ISO 8601, UTC, with milliseconds; null before the
   * first.
   */
  enabledUntil: string | null
  /** The validity of the certificate; omitted without one. */
  certificateExpiration?: Pick<CertificateDetails, 'expired' | 'expiration'>
  /** The certificate of the domain; omitted without one, and in the list of all domains. */
  certificate?: CertificateDetails
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

type ListRow = Omit<PagesDomainRow, 'certificate' | 'sealedKey' | 'createdAt'>

/** A domain in the list of all at `now` (ISO 8601); its certificate is not parsed. */
export const toListedDomain = (row: ListRow, now: string): PagesDomain => {
  const { certificateStartsAt: start, certificateEndsAt: expiration } = row
  const expired = start !== null && expiration !== null && (now < start || now > expiration)
  return {
    domain: row.name,
    projectId: row.projectId,
    url: `${expiration === null ? 'http' : 'https'}://${row.name}`,
    autoSslEnabled: row.autoSslEnabled,
    verified: row.verifiedAt !== null,
    verificationCode: row.verificationCode,
    enabledUntil: row.enabledUntil,
    ...(expiration !== null && { certificateExpiration: { expired, expiration } }),
  }
}

/** A domain with its certificate at `now` (ISO 8601). */
export const toPagesDomain = (row: PagesDomainRow, now: string): PagesDomain => ({
  ...toListedDomain(row, now),
  ...(row.certificate !== null && { certificate: certificateDetails(row.certificate, now) }),
})

/** The columns of a valid certificate, or of none. */
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

/** The encryption context of a domain's private key. */
export const keyContext = (id: number): string => `pages_domain.${id}.key`

/** The verification record and the names that may have it. Existing DNS tools create records of exactly this form. */
export const verificationRecord = (name: string, code: string): { names: readonly string[]; record: string } => ({
  names: [`_gitlab-pages-verification-code.${name}`, name],
  record: `gitlab-pages-verification-code=${code}`,
})

const day = 86_400_000

/** Milliseconds that a verification is valid, long enough to survive an outage of the name servers. */
export const verificationPeriod = 7 * day

/** Milliseconds before its end when an issued certificate is renewed. */
const renewalPeriod = 30 * day

/** The time from which a certificate is renewed. */
export const renewalStart = (certificateEndsAt: string): string =>
  new Date(Date.parse(certificateEndsAt) - renewalPeriod).toISOString()

/** True if a certificate is due to be issued: there is none, or it ends soon. */
export const needsCertificate = (row: PagesDomainRow, now: string): boolean =>
  row.autoSslEnabled &&
  row.verifiedAt !== null &&
  (row.certificateEndsAt === null || now > renewalStart(row.certificateEndsAt))
