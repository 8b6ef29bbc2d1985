import { type BinaryLike, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** Needs 32 MiB and about 0.3 seconds, as OWASP recommends for scrypt (2^15, 8, 3). */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyLength = 32
const saltLength = 16

/** Bytes that scrypt may use: more than 128 · N · r. */
const maxmem = 128 * 1024 * 1024

const derive = (password: BinaryLike, salt: BinaryLike, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(password, salt, keyLength, { ...options, maxmem }, (error, key) => (error ? reject(error) : resolve(key))),
  )

/** Unicode has several forms of the same characters; keyboards differ in which they send. */
const toBytes = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The hash of a password with its parameters: `scrypt$32768$8$3$<salt>$<key>`. Does not block the process. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltLength)
  const key = await derive(toBytes(password), salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Takes as long as the comparison with a hash, so that the time does not reveal which users have a password. */
const compareWithNothing = async (password: string): Promise<false> => {
  await derive(toBytes(password), 'no salt', cost)
  return false
}

/** @param hash undefined if the user does not exist or has no password */
export const matchesPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (hash === undefined) return compareWithNothing(password)
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(toBytes(password), Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'))
}
