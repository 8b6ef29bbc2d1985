/** A public OpenPGP key of a user. */
export interface GpgKey {
  /** Id of the key on the instance. */
  id: number
  /** The key as armored text, from `-----BEGIN PGP PUBLIC KEY BLOCK-----` to `-----END PGP PUBLIC KEY BLOCK-----`. */
  key: string
  /** When the key was added: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}
