import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { certificateSubject, certificateText } from '../../../x509/certificate-text.ts'
import {
  type CertificateChain,
  certificateBlocks,
  containsPrivateKey,
  isTrusted,
  maxPemLength,
  readCertificateChain,
} from './certificate-chain.ts'

/** A domain's certificate as the API shows it. */
export interface CertificateDetails {
  /** Whether the current time is outside the certificate's validity, before or after. */
  readonly expired: boolean
  /** End of the validity: ISO 8601, UTC, with milliseconds. */
  readonly expiration: string
  /** Distinguished name of the certificate's owner: `/C=DE/CN=www.example.com`. */
  readonly subject: string
  /** The submitted PEM text, with the intermediates. */
  readonly certificate: string
  /** The certificate as readable text, in the format of `openssl x509 -text`. */
  readonly certificateText: string
}

/** Messages by field, empty for a valid pair. A message continues a sentence that begins with the field's name. */
export type CertificateProblems = Readonly<Partial<Record<'certificate' | 'key', readonly string[]>>>

export interface CertificateRules {
  /** Trusted root certificates, one PEM text each. Default: those bundled with Node.js. */
  readonly roots?: readonly string[]
  /** The project serves its pages over HTTPS only, which requires a certificate. */
  readonly httpsOnly?: boolean
}

const readPrivateKey = (pem: string): KeyObject | undefined => {
  if (pem.length > maxPemLength) return undefined
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

const matches = (chain: CertificateChain | undefined, key: KeyObject | undefined): boolean =>
  chain !== undefined && key !== undefined && chain.leaf.checkPrivateKey(key)

/**
 * Validates a certificate and its key, both PEM, and returns all problems. A blank text counts as absent; both may be absent unless
 * pages are HTTPS only. Expired and self-signed certificates are valid.
 */
export const certificateProblems = (
  { certificate = '', key = '' }: { readonly certificate?: string | undefined; readonly key?: string | undefined },
  { roots = rootCertificates, httpsOnly = false }: CertificateRules = {},
): CertificateProblems => {
  const hasCertificate = certificate.trim() !== ''
  const hasKey = key.trim() !== ''
  const chain = hasCertificate ? readCertificateChain(certificate) : undefined
  const privateKey = hasKey ? readPrivateKey(key) : undefined
  const problems: { certificate: string[]; key: string[] } = { certificate: [], key: [] }

  if (httpsOnly && !hasCertificate) problems.certificate.push('must be present if HTTPS-only is enabled')
  if (httpsOnly && !hasKey) problems.key.push('must be present if HTTPS-only is enabled')
  if (hasCertificate && containsPrivateKey(certificate)) problems.certificate.push('must not contain a private key')
  else if (hasCertificate && chain === undefined) problems.certificate.push('must be a valid PEM certificate')
  if (hasKey && privateKey === undefined) problems.key.push('must be a valid PEM private key')
  if ((hasCertificate || hasKey) && !matches(chain, privateKey)) problems.key.push("doesn't match the certificate")
  if (chain !== undefined && !isTrusted(chain, roots)) problems.certificate.push('misses intermediates')
  return Object.fromEntries(Object.entries(problems).filter(([, messages]) => messages.length > 0))
}

/** Details of a valid certificate at `now` (ISO 8601). Throws for any other text. */
export const certificateDetails = (pem: string, now: string): CertificateDetails => {
  const [text = pem] = certificateBlocks(pem)
  const certificate = new X509Certificate(text)
  const time = new Date(now)
  return {
    expired: time < certificate.validFromDate || time > certificate.validToDate,
    expiration: certificate.validToDate.toISOString(),
    subject: certificateSubject(certificate.raw),
    certificate: pem,
    certificateText: certificateText(certificate.raw),
  }
}
