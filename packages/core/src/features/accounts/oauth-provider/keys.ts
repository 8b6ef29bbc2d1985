import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../../../kernel/context.ts'
import { readStoredKeys, storeFirstKeys } from '../../administration/instance/stored-keys.ts'

/** A private key as a JSON Web Key (RFC 7517). */
export interface SigningKey {
  /** `RSA`. */
  readonly kty: string
  /** Identifies the key in ID tokens. */
  readonly kid: string
  /** The parts of the key, in Base64url. */
  readonly [part: string]: unknown
}

/** The keys of the OAuth provider. */
export interface OauthKeys {
  /** The private key that signs ID tokens (RS256). */
  readonly signingKey: SigningKey
  /** The key that signs cookies. */
  readonly cookieKey: string
}

const name = 'provider'
const modulusLength = 2_048

export const readKeys = (ctx: Context): Promise<OauthKeys | undefined> => readStoredKeys<OauthKeys>(ctx, name)

/** Takes up to a second, without blocking the process. */
export const generateKeys = async ({ ports: { random } }: Pick<Context, 'ports'>): Promise<OauthKeys> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength })
  const kid = Buffer.from(random.bytes(12)).toString('base64url')
  return {
    signingKey: { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid, use: 'sig', alg: 'RS256' },
    cookieKey: Buffer.from(random.bytes(32)).toString('base64url'),
  }
}

/** Stores the first keys. Another process may have stored others in the meantime, which are then returned. */
export const storeKeys = (ctx: Context, keys: OauthKeys): Promise<OauthKeys> => storeFirstKeys(ctx, name, keys)
