import { X509Certificate } from 'node:crypto'
import { certificateText } from '../../../x509/certificate-text.ts'

/** A certificate with its issuers. */
export interface CertificateChain {
  /** The domain's certificate: the first in the text. */
  readonly leaf: X509Certificate
  /** From most to least specific, independent of the order of the intermediates in the text. */
  readonly certificates: readonly X509Certificate[]
}

/** In characters. */
export const maxPemLength = 131_072

/** Number of certificates in one PEM text. */
const maxChainLength = 16

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** PEM blocks in their order; text between them is ignored (RFC 7468 section 5.2). */
export const certificateBlocks = (pem: string): string[] => {
  const blocks: string[] = []
  for (let start = pem.indexOf(begin); start >= 0; ) {
    const stop = pem.indexOf(end, start)
    blocks.push(pem.slice(start, stop < 0 ? pem.length : stop + end.length))
    start = stop < 0 ? -1 : pem.indexOf(begin, stop)
  }
  return blocks
}

export const containsPrivateKey = (pem: string): boolean => pem.includes('PRIVATE KEY-----')

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean => {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // Unsupported key types throw.
    return false
  }
}

const orderChain = ([leaf, ...others]: readonly X509Certificate[]): X509Certificate[] => {
  const chain = leaf === undefined ? [] : [leaf]
  const rest = [...others]
  for (let last = leaf; last !== undefined; ) {
    const next = rest.findIndex((candidate) => last !== undefined && isIssuedBy(last, candidate))
    last = next < 0 ? undefined : rest.splice(next, 1)[0]
    if (last !== undefined) chain.push(last)
  }
  return [...chain, ...rest]
}

/** The certificates of a PEM text, the domain's first; `undefined` for any other text. */
export const readCertificateChain = (pem: string): CertificateChain | undefined => {
  if (pem.length > maxPemLength || containsPrivateKey(pem)) return undefined
  const texts = certificateBlocks(pem)
  if (texts.length > maxChainLength) return undefined
  try {
    const certificates = orderChain(texts.map((text) => new X509Certificate(text)))
    const [leaf] = certificates
    if (leaf === undefined) return undefined
    // Throws for a certificate that could be stored but not displayed.
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

const isSelfSigned = (certificate: X509Certificate): boolean => {
  try {
    return certificate.verify(certificate.publicKey)
  } catch {
    return false
  }
}

/** Breadth-first search for a root; each certificate is visited once, so cross-signatures terminate. Validity periods are ignored. */
const leadsToRoot = ({ leaf, certificates }: CertificateChain, roots: readonly X509Certificate[]): boolean => {
  const reached = new Set([leaf])
  for (const certificate of reached) {
    if (roots.some((root) => isIssuedBy(certificate, root))) return true
    for (const candidate of certificates) {
      if (!reached.has(candidate) && candidate.ca && isIssuedBy(certificate, candidate)) reached.add(candidate)
    }
  }
  return false
}

/** True if the chain leads to one of `roots` (one PEM text each) or the domain's certificate is self-signed. */
export const isTrusted = (chain: CertificateChain, roots: readonly string[]): boolean =>
  isSelfSigned(chain.leaf) || leadsToRoot(chain, rootsOf(roots))
