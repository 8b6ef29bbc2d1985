import { hash } from 'node:crypto'

/** The SHA256 fingerprint of a public key in its binary format, without `SHA256:`. */
export const toFingerprint = (key: Buffer): string => hash('sha256', key, 'base64').replace(/=+$/, '')
