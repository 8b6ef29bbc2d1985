/** What to compare with a stored fingerprint: `sha256` in unpadded base64, `md5` as lower-case hex pairs with colons. */
export interface FingerprintQuery {
  readonly algorithm: 'sha256' | 'md5'
  readonly fingerprint: string
}

/**
 * Reads the fingerprint a caller asks for: `SHA256:` or `sha256:` and the unpadded base64 of 32 bytes, or 16 hex pairs with colons.
 * Only the beginning of an MD5 form is judged: text after it makes a well-formed fingerprint that no key has.
 * `undefined` for everything else: another prefix, padding, a blank where a `+` was not encoded.
 */
export const fingerprintQuery = (text: string): FingerprintQuery | undefined => {
  const [, sha256] = /^(?:SHA256|sha256):([A-Za-z0-9+/]{43})$/.exec(text) ?? []
  if (sha256 !== undefined) return { algorithm: 'sha256', fingerprint: sha256 }
  if (/^(?:[0-9a-f]{2}:){15}[0-9a-f]{2}/i.test(text)) return { algorithm: 'md5', fingerprint: text.toLowerCase() }
  return undefined
}
