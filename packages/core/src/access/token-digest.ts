import { hash } from 'node:crypto'

/** The stored form of a token: hexadecimal SHA-256. Salt and stretching are not needed for 160 random bits. */
export const hashToken = (secret: string): string => hash('sha256', secret, 'hex')
