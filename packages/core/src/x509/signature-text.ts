import { type DerElement, derIdentifier, derInteger, derSequence, readDer } from './der.ts'
import { labelledNumber, pssParameters } from './key-text.ts'
import { longName } from './object-names.ts'
import { hexLines } from './value-text.ts'

const pssId = '1.2.840.113549.1.1.10'
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

const readAlgorithm = (algorithm: DerElement) => {
  const [type, parameters] = derSequence(algorithm)
  const identifier = derIdentifier(type)
  return { name: longName(identifier), details: identifier === pssId ? pssLines(parameters) : '' }
}

/** The algorithm without a signature, for the data section of a certificate. */
export const signatureAlgorithmText = (algorithm: DerElement): string => {
  const { name, details } = readAlgorithm(algorithm)
  return `${pad}Signature Algorithm: ${name}${details}`
}

const isDsa = (name: string) => /^dsa_?with/i.test(name)

/** The algorithm and the signature at the end of a certificate. */
export const signatureText = (algorithm: DerElement, signature: Buffer): string => {
  const { name, details } = readAlgorithm(algorithm)
  const heading = `    Signature Algorithm: ${name}\n    Signature Value:${details}`
  if (!isDsa(name)) return `${heading}\n${hexLines(signature, 18, pad)}`
  const [r = 0n, s = 0n] = derSequence(readDer(signature)).map(derInteger)
  return [heading, labelledNumber('r:   ', r, pad), labelledNumber('s:   ', s, pad)].join('\n')
}
