import { type BinaryLike, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** OWASP recommends 2^15, 8 and 3 for scrypt: 32 MiB and about 0.3 seconds. */
const toParameters = (cost: number) => ({ N: 2 ** cost, r: 8, p: 3 })
const keyLength = 32
const saltLength = 16

const derive = (password: BinaryLike, salt: BinaryLike, parameters: ReturnType<typeof toParameters>) =>
  new Promise<Buffer>((resolve, reject) => {
    const { N, r, p } = parameters
    // It needs a little more than 128 · r · (N + p) bytes.
    const maxmem = 256 * r * (N + p)
    scrypt(password, salt, keyLength, { ...parameters, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** Unicode has several forms of the same characters; keyboards differ in which they send. */
const toBytes = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The hash of a password with its parameters: `scrypt$32768$8$3$<salt>$<key>`. Does not block the process. */
export const hashPassword = async (password: string, cost: number): Promise<string> => {
  const salt = randomBytes(saltLength)
  const parameters = toParameters(cost)
  const key = await derive(toBytes(password), salt, parameters)
  const { N, r, p } = parameters
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Takes as long as the comparison with a hash, so that the time does not reveal which users have a password. */
const compareWithNothing = async (password: string, cost: number): Promise<false> => {
  await derive(toBytes(password), 'no salt', toParameters(cost))
  return false
}

/** @param hash undefined if the user does not exist or has no password */
export const matchesPassword = async (password: string, hash: string | undefined, cost: number): Promise<boolean> => {
  if (hash === undefined) return compareWithNothing(password, cost)
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(toBytes(password), Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'))
}
