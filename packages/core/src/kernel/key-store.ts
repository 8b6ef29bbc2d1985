/** Stores the key that encrypts the secrets of a database: in a file next to it, or in memory for in-memory databases. */
export interface KeyStore {
  /** The key, 32 bytes; undefined until it is created. */
  read(): Uint8Array | undefined
  /** The key, created on first use. */
  getOrCreate(): Uint8Array
}
