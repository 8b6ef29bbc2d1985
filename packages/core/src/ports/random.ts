import { randomBytes } from 'node:crypto'

/** The source of generated secrets. */
export interface Random {
  /** Returns `size` cryptographically secure random bytes. */
  bytes(size: number): Uint8Array
}

export const systemRandom: Random = { bytes: (size) => randomBytes(size) }
