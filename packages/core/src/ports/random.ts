import { randomBytes } from 'node:crypto'

/** Where secrets come from. */
export interface Random {
  /** `size` unpredictable bytes. */
  bytes(size: number): Uint8Array
}

export const systemRandom: Random = { bytes: (size) => randomBytes(size) }
