import { type DerElement, derChildren, derIdentifier, derInteger, expectTag, readDer, tag } from './der.ts'
import { labelledNumber, pssParameters } from './key-text.ts'
import { longName } from './object-names.ts'
import { hexLines } from './value-text.ts'

const pss = '1.2.840.113549.1.1.10'
const pad = ' '.repeat(8)

const pssLines = (parameters: DerElement | undefined): string => {
  if (parameters === undefined) return `${pad}(INVALID PSS PARAMETERS)`
  const { hash, mask, salt, trailer, hasHash, hasMask } = pssParameters(parameters)
  const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(2, '0')
  return [
    pad,
    `${pad}Hash Algorithm: ${hash}${hasHash ? '' : ' (default)'}`,
    `${pad}Mask Algorithm: mgf1 with ${mask}${hasMask ? '' : ' (default)'}`,
    `${pad} Salt Length: 0x${salt === undefined ? '14 (default)' : hex(salt)}`,
    `${pad}Trailer Field: 0x${trailer === undefined ? '01 (default)' : hex(trailer)}`,
  ].join('\n')
}

const parts = (algorithm: DerElement) => {
  const [identifier, parameters] = derChildren(expectTag(algorithm, tag.sequence))
  const name = derIdentifier(identifier)
  return { text: longName(name), details: name === pss ? pssLines(parameters) : '' }
}

/** The algorithm alone, as it stands among the data of a certificate. */
export const signatureAlgorithmText = (algorithm: DerElement): string => {
  const { text, details } = parts(algorithm)
  return `${pad}Signature Algorithm: ${text}${details}`
}

const isDsa = (name: string) => /^dsa_?with/i.test(name)

/** The algorithm and the signature below it, at the end of a certificate. */
export const signatureText = (algorithm: DerElement, signature: Buffer): string => {
  const { text, details } = parts(algorithm)
  const heading = `    Signature Algorithm: ${text}\n    Signature Value:${details}`
  if (!isDsa(text)) return `${heading}\n${hexLines(signature, 18, pad)}`
  const [first = 0n, second = 0n] = derChildren(expectTag(readDer(signature), tag.sequence)).map(derInteger)
  return [heading, labelledNumber('r:   ', first, pad), labelledNumber('s:   ', second, pad)].join('\n')
}
