import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { certificateText } from './certificate-text.ts'
import { derChildren, readDer } from './x509/der.ts'
import { slashName } from './x509/distinguished-name.ts'

/** A certificate with those above it. */
export interface CertificateChain {
  /** The certificate of the domain: the first of the text. */
  readonly leaf: X509Certificate
  /** From most to least specific, whatever the order of the intermediates in the text. */
  readonly certificates: readonly X509Certificate[]
}

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

const longestText = 131_072
const longestChain = 16

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** PEM blocks in their order; words between them are comments (RFC 7468 section 5.2). */
const blocks = (pem: string): string[] => {
  const found: string[] = []
  for (let start = pem.indexOf(begin); start >= 0; ) {
    const stop = pem.indexOf(end, start)
    found.push(pem.slice(start, stop < 0 ? pem.length : stop + end.length))
    start = stop < 0 ? -1 : pem.indexOf(begin, stop)
  }
  return found
}

const issued = (issuer: X509Certificate, certificate: X509Certificate): boolean => {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // A key of a kind that cannot be used here has signed nothing.
    return false
  }
}

const ordered = ([leaf, ...others]: readonly X509Certificate[]): X509Certificate[] => {
  const chain = leaf === undefined ? [] : [leaf]
  const rest = [...others]
  for (let last = leaf; last !== undefined; ) {
    const next = rest.findIndex((candidate) => last !== undefined && issued(candidate, last))
    last = next < 0 ? undefined : rest.splice(next, 1)[0]
    if (last !== undefined) chain.push(last)
  }
  return [...chain, ...rest]
}

/** The certificates of a PEM text, the domain's own one first; `undefined` when that is not what the text holds. */
export const readCertificateChain = (pem: string): CertificateChain | undefined => {
  if (pem.length > longestText || holdsPrivateKey(pem)) return undefined
  const texts = blocks(pem)
  if (texts.length > longestChain) return undefined
  try {
    const certificates = ordered(texts.map((text) => new X509Certificate(text)))
    const [leaf] = certificates
    if (leaf === undefined) return undefined
    // What cannot be shown later is refused now.
    certificateText(leaf.raw)
    return { leaf, certificates }
  } catch {
    return undefined
  }
}

/** Somebody pasted the secret into the public field. */
const holdsPrivateKey = (pem: string) => pem.includes('PRIVATE KEY-----')

const readPrivateKey = (pem: string): KeyObject | undefined => {
  if (pem.length > longestText) return undefined
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

const parsedRoots = new WeakMap<readonly string[], readonly X509Certificate[]>()

const rootsOf = (texts: readonly string[]): readonly X509Certificate[] => {
  const roots = parsedRoots.get(texts) ?? texts.map((text) => new X509Certificate(text))
  parsedRoots.set(texts, roots)
  return roots
}

const signedByItself = (certificate: X509Certificate): boolean => {
  try {
    return certificate.verify(certificate.publicKey)
  } catch {
    return false
  }
}

/** Searches a way up to a root. Each certificate is tried once, so crossing signatures end. Validity in time does not count. */
const leadsToRoot = ({ leaf, certificates }: CertificateChain, roots: readonly X509Certificate[]): boolean => {
  const reached = new Set([leaf])
  for (const certificate of reached) {
    if (roots.some((root) => issued(root, certificate))) return true
    for (const candidate of certificates) {
      if (!reached.has(candidate) && candidate.ca && issued(candidate, certificate)) reached.add(candidate)
    }
  }
  return false
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
  if (chain !== undefined && !signedByItself(chain.leaf) && !leadsToRoot(chain, rootsOf(roots))) {
    found.certificate.push('misses intermediates')
  }
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
  const [text = pem] = blocks(pem)
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
