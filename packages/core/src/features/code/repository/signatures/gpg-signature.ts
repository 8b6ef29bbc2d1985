import { createRequire } from 'node:module'
import type * as openpgp from 'openpgp'
import { PlatformError } from '../../../../kernel/errors.ts'

type Library = typeof openpgp

/** Loaded with the first signature, because few platforms have the package. Bundlers would require it if it were imported. */
const loadLibrary = (): Library => {
  try {
    return createRequire(import.meta.url)('openpgp') as Library
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error
    throw new PlatformError('unprocessable', 'GPG signatures require the package openpgp beside @forgelet/core')
  }
}

const blockStart = '-----BEGIN PGP SIGNATURE-----'

/** User ids with the same address that are checked. */
const maxUserIds = 20

/** A signature of OpenPGP. */
export interface GpgSignatureText {
  /** Id of the key that signed, as 16 lowercase hexadecimal digits; undefined for malformed text. */
  readonly keyId: string | undefined
  readonly isMultiple: boolean
}

const readSignature = ({ readSignature: read }: Library, text: string) =>
  read({ armoredSignature: text }).catch(() => undefined)

/** Reads which key signed. */
export async function readGpgSignature(text: string): Promise<GpgSignatureText> {
  const signature = await readSignature(loadLibrary(), text)
  const keyIds = signature?.getSigningKeyIDs() ?? []
  return { keyId: keyIds[0]?.toHex(), isMultiple: keyIds.length > 1 || text.split(blockStart).length > 2 }
}

/** What a stored key states about its owner, and whether it made a signature. */
export interface GpgCheck {
  /** Name of the first user id whose address is one of the owner's, or of the first one; null without any. */
  readonly userName: string | null
  /** Address of that user id. */
  readonly userEmail: string | null
  /** Addresses of the owner, in lowercase, that valid user ids of the key have. */
  readonly emails: ReadonlySet<string>
  readonly isValid: boolean
}

/** Checks a signature of `payload` with a key of a user who has these addresses, in lowercase. */
export async function checkGpgSignature(
  text: string,
  payload: Uint8Array,
  {
    key: armoredKey,
    emails,
    now,
  }: { readonly key: string; readonly emails: ReadonlySet<string>; readonly now: string },
): Promise<GpgCheck> {
  const library = loadLibrary()
  const date = new Date(now)
  const [signature, key] = await Promise.all([
    readSignature(library, text),
    library.readKey({ armoredKey }).catch(() => undefined),
  ])
  const users = key?.users ?? []
  const own = users.filter(({ userID }) => emails.has(userID?.email.toLowerCase() ?? '')).slice(0, maxUserIds)
  const checks = await Promise.all(
    own.map(async (user) => ((await user.verify(date).catch(() => false)) ? [user.userID] : [])),
  )
  const verified = checks.flat().flatMap((userId) => userId ?? [])
  const shown = verified[0] ?? users.find(({ userID }) => userID !== null)?.userID
  const results =
    signature && key
      ? await library
          .verify({
            message: await library.createMessage({ binary: payload }),
            signature,
            verificationKeys: key,
            date,
            format: 'binary',
          })
          .then(({ signatures }) => signatures)
      : []
  return {
    userName: shown?.name ?? null,
    userEmail: shown?.email ?? null,
    emails: new Set(verified.map(({ email }) => email.toLowerCase())),
    isValid: (await results[0]?.verified.catch(() => false)) ?? false,
  }
}
