/** Where a store keeps the key of its secrets: beside its file, or in the process for data that ends with the process. */
export interface KeptKey {
  /** The key, 32 bytes; absent until one was made. */
  read(): Uint8Array | undefined
  /** The key, made on first use. */
  make(): Uint8Array
}
