/** A fingerprint in its stored form: `sha256` in unpadded base64, `md5` as lower-case hex pairs with colons. */
export interface FingerprintQuery {
  readonly algorithm: 'sha256' | 'md5'
  readonly fingerprint: string
}

/**
 * Parses `SHA256:` or `sha256:` with the unpadded base64 of 32 bytes, or 16 hex pairs with colons.
 * Only the beginning of an MD5 form is validated: with text after it, the fingerprint is well-formed but matches no key.
 * Returns `undefined` for other text: another prefix, padding, a space in place of an unencoded `+`.
 */
export const parseFingerprintQuery = (text: string): FingerprintQuery | undefined => {
  const [, sha256] = /^(?:SHA256|sha256):([A-Za-z0-9+/]{43})$/.exec(text) ?? []
  if (sha256 !== undefined) return { algorithm: 'sha256', fingerprint: sha256 }
  if (/^(?:[0-9a-f]{2}:){15}[0-9a-f]{2}/i.test(text)) return { algorithm: 'md5', fingerprint: text.toLowerCase() }
  return undefined
}
