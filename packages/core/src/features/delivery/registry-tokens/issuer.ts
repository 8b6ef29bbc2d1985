import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../kernel/context.ts'
import { createCertificate, toPem } from '../../../x509/create-certificate.ts'
import { readStoredKeys, storeFirstKeys } from '../../administration/instance/stored-keys.ts'

/** The authority that a registry trusts. It certifies the keys that sign tokens, so that these change without a new setting. */
export interface RegistryAuthority {
  /** PEM of the private key. */
  readonly privateKey: string
  /** PEM of the certificate. */
  readonly certificate: string
}

/** A key that signs tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject
  /** The certificate in DER and Base64, as the JWT header `x5c` has it (RFC 7515, section 4.1.6). */
  readonly certificate: string
}

const name = 'registry'
const authorityName = 'Forgelet container registry'
const day = 86_400_000
const authorityLifetime = 3_650 * day
const signingKeyLifetime = 2 * day
/** A process uses a key for one day, so that its certificate is valid for longer than every token. */
const signingKeyUse = day
/** Clocks of registries may differ. */
const clockDifference = 3_600_000

const createKeys = () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })

type Ports = Pick<Context, 'ports' | 'now'>

const certify = ({ ports, now }: Ports, publicKey: KeyObject, signingKey: KeyObject, lifetime: number) => {
  const isAuthority = lifetime === authorityLifetime
  return createCertificate({
    serialNumber: ports.random.bytes(15),
    subject: isAuthority ? authorityName : 'Forgelet registry token',
    issuer: authorityName,
    notBefore: new Date(Date.parse(now) - clockDifference),
    notAfter: new Date(Date.parse(now) + lifetime),
    publicKey,
    signingKey,
    isAuthority,
  })
}

export const readAuthority = (ctx: Context): Promise<RegistryAuthority | undefined> =>
  readStoredKeys<RegistryAuthority>(ctx, name)

export const createAuthority = async (ctx: Ports): Promise<RegistryAuthority> => {
  const { privateKey, publicKey } = await createKeys()
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: toPem(certify(ctx, publicKey, privateKey, authorityLifetime)),
  }
}

/** Stores the first authority. That of another process, if it was faster, is returned. */
export const storeAuthority = (ctx: Context, authority: RegistryAuthority): Promise<RegistryAuthority> =>
  storeFirstKeys(ctx, name, authority)

const createSigningKey = async (ctx: Ports, authority: RegistryAuthority): Promise<SigningKey> => {
  const { privateKey, publicKey } = await createKeys()
  const der = certify(ctx, publicKey, createPrivateKey(authority.privateKey), signingKeyLifetime)
  return { privateKey, certificate: der.toString('base64') }
}

/** The keys of this process, which are never stored, by authority and day. */
const signingKeys = new LRUCache<string, Promise<SigningKey>>({ max: 100 })

/** The current key of this process. */
export const getSigningKey = (ctx: Ports, authority: RegistryAuthority): Promise<SigningKey> => {
  const period = Math.floor(Date.parse(ctx.now) / signingKeyUse)
  const key = `${createHash('sha256').update(authority.certificate).digest('hex')} ${period}`
  const existing = signingKeys.get(key)
  if (existing) return existing
  const created = createSigningKey(ctx, authority)
  signingKeys.set(key, created)
  return created
}
