import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import {
  type CertificateChain,
  certificateBlocks,
  holdsPrivateKey,
  isTrusted,
  longestPem,
  readCertificateChain,
} from './certificate-chain.ts'
import { certificateText } from './certificate-text.ts'
import { derChildren, readDer } from './x509/der.ts'
import { slashName } from './x509/distinguished-name.ts'

/** What is told about the certificate of a domain. */
export interface CertificateDetails {
  /** The instant lies outside the certificate's validity. */
  readonly expired: boolean
  /** End of the validity: ISO 8601, UTC, milliseconds. */
  readonly expiration: string
  /** `/C=DE/CN=www.example.com` */
  readonly subject: string
  /** The PEM text as it was given. */
  readonly certificate: string
  readonly certificateText: string
}

/** Complaints by field; without fields when there are none. Texts continue the sentence that begins with the field's name. */
export type CertificateComplaints = Readonly<Partial<Record<'certificate' | 'key', readonly string[]>>>

export interface CertificateRules {
  /** PEM texts of the authorities that need no issuer. Default: those that Node.js brings along. */
  readonly roots?: readonly string[]
  /** The project's pages are served over HTTPS only, so a certificate must be there. */
  readonly httpsOnly?: boolean
}

const readPrivateKey = (pem: string): KeyObject | undefined => {
  if (pem.length > longestPem) return undefined
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

const matches = (chain: CertificateChain | undefined, key: KeyObject | undefined): boolean =>
  chain !== undefined && key !== undefined && chain.leaf.checkPrivateKey(key)

/**
 * What is wrong with a certificate and its key, both PEM; several rules may complain at once. A blank text counts as absent, and
 * neither of the two is fine unless pages are HTTPS only. Expired certificates are accepted, self-signed ones too.
 */
export const certificateComplaints = (
  { certificate = '', key = '' }: { readonly certificate?: string | undefined; readonly key?: string | undefined },
  { roots = rootCertificates, httpsOnly = false }: CertificateRules = {},
): CertificateComplaints => {
  const given = { certificate: certificate.trim() !== '', key: key.trim() !== '' }
  const chain = given.certificate ? readCertificateChain(certificate) : undefined
  const privateKey = given.key ? readPrivateKey(key) : undefined
  const found: { certificate: string[]; key: string[] } = { certificate: [], key: [] }

  if (httpsOnly && !given.certificate) found.certificate.push('must be present if HTTPS-only is enabled')
  if (httpsOnly && !given.key) found.key.push('must be present if HTTPS-only is enabled')
  if (given.certificate && holdsPrivateKey(certificate)) found.certificate.push('must not contain a private key')
  else if (given.certificate && chain === undefined) found.certificate.push('must be a valid PEM certificate')
  if (given.key && privateKey === undefined) found.key.push('must be a valid PEM private key')
  if ((given.certificate || given.key) && !matches(chain, privateKey)) found.key.push("doesn't match the certificate")
  if (chain !== undefined && !isTrusted(chain, roots)) found.certificate.push('misses intermediates')
  return Object.fromEntries(Object.entries(found).filter(([, complaints]) => complaints.length > 0))
}

/** Position of the subject among the fields of a certificate that begins with its version (RFC 5280 section 4.1). */
const subjectField = 5

const subjectOf = (certificate: X509Certificate): string => {
  const [body] = derChildren(readDer(certificate.raw))
  const fields = body === undefined ? [] : derChildren(body)
  const subject = fields[fields[0]?.tag === 0xa0 ? subjectField : subjectField - 1]
  return subject === undefined ? '' : slashName(subject)
}

/** What to tell about a certificate that was accepted before, at the given instant (ISO 8601). Other texts throw. */
export const certificateDetails = (pem: string, now: string): CertificateDetails => {
  const [text = pem] = certificateBlocks(pem)
  const certificate = new X509Certificate(text)
  const instant = new Date(now)
  return {
    expired: instant < certificate.validFromDate || instant > certificate.validToDate,
    expiration: certificate.validToDate.toISOString(),
    subject: subjectOf(certificate),
    certificate: pem,
    certificateText: certificateText(certificate.raw),
  }
}
