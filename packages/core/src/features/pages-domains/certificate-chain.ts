import { X509Certificate } from 'node:crypto'
import { certificateText } from './certificate-text.ts'

/** A certificate with those above it. */
export interface CertificateChain {
  /** The certificate of the domain: the first of the text. */
  readonly leaf: X509Certificate
  /** From most to least specific, whatever the order of the intermediates in the text. */
  readonly certificates: readonly X509Certificate[]
}

/** PEM texts beyond this many characters are not read. */
export const longestPem = 131_072

const longestChain = 16

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** PEM blocks in their order; words between them are comments (RFC 7468 section 5.2). */
export const certificateBlocks = (pem: string): string[] => {
  const found: string[] = []
  for (let start = pem.indexOf(begin); start >= 0; ) {
    const stop = pem.indexOf(end, start)
    found.push(pem.slice(start, stop < 0 ? pem.length : stop + end.length))
    start = stop < 0 ? -1 : pem.indexOf(begin, stop)
  }
  return found
}

/** Somebody pasted the secret into the public field. */
export const holdsPrivateKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----')

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
  if (pem.length > longestPem || holdsPrivateKey(pem)) return undefined
  const texts = certificateBlocks(pem)
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

/** True when the chain ends at a root, or when the domain's certificate is its own issuer. `roots`: PEM texts of one certificate each. */
export const isTrusted = (chain: CertificateChain, roots: readonly string[]): boolean =>
  signedByItself(chain.leaf) || leadsToRoot(chain, rootsOf(roots))
