import { type MemoryAccount, PlatformError } from '@forgelet/core'
import { measureJson } from '../reply/json-stream.ts'

const mebibyte = 1024 * 1024

/** Bytes of the files, as Base64, bytes and text, that one query reads: 20 MiB of content. */
const maxFileBytes = 60 * mebibyte
/** Characters of the objects that one query reads; a text in several properties counts for each of them. */
const maxRead = 128 * mebibyte
/** Characters of the texts in one reply. Aliases can repeat each of them. */
const maxReply = 32 * mebibyte

/** What one query holds in memory. Its fields are read at the same time, so each is counted before the next one is. */
export interface QueryMemory extends MemoryAccount {
  /** @throws PlatformError `invalid_input` if the query has already read too much */
  assertRoom(): void
  /** Counts the result of a call. */
  countRead(value: unknown): void
  /** Counts a field of the reply. */
  countReply(value: unknown): void
}

const tooLarge = (what: string) =>
  new PlatformError('invalid_input', `${what} are too large: read them with the REST API, or request fewer`)

export const createQueryMemory = (account: MemoryAccount | undefined): QueryMemory => {
  let files = 0
  let read = 0
  let reply = 0
  const assertRoom = () => {
    if (read > maxRead || reply > maxReply) throw tooLarge('The texts')
  }
  return {
    assertRoom,
    async reserve(bytes) {
      if (files + bytes > maxFileBytes) throw tooLarge('The files')
      files += bytes
      await account?.reserve(bytes)
    },
    countRead(value) {
      read += measureJson(value, maxRead)
      assertRoom()
    },
    countReply(value) {
      if (typeof value !== 'string') return
      reply += value.length
      assertRoom()
    },
  }
}
