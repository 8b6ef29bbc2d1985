import type { Readable } from 'node:stream'

/** A stored file. */
export interface StoredFile {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** ISO 8601. */
  readonly modifiedAt: string
}

/** What a write has stored. */
export interface WrittenFile {
  /** Bytes. */
  readonly size: number
  /** 64 hexadecimal digits. */
  readonly sha256: string
}

export type FileContent = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface WriteOptions {
  /** A longer content is rejected, and nothing is stored. */
  readonly maximumBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions {
  /** The first byte. Default: 0. */
  readonly offset?: number
  /** Bytes. Default: up to the end. */
  readonly length?: number
  readonly signal?: AbortSignal | undefined
}

/** The files of one page, in the order of their keys. `next` is the `after` of the next page; omitted on the last one. */
export interface FileList {
  readonly files: readonly StoredFile[]
  readonly next?: string
}

export interface ListOptions {
  /** Lists keys after this one. */
  readonly after?: string | undefined
  /** 1 to 1,000. Default: 1,000. */
  readonly limit?: number
}

/**
 * Stores the files of the platform, such as uploads. Repositories are not among them.
 *
 * A key consists of segments with `/` between them, see `assertFileKey`. All servers of an installation see the same files: a
 * write that has resolved is visible to every later call. Every method throws `unavailable` when the storage cannot be
 * reached, and another error than `PlatformError` when it is misconfigured.
 */
export interface FileStorage {
  /**
   * Stores a file, or replaces it. Readers see the complete file or the previous state, also after a crash.
   *
   * @throws PlatformError `unprocessable` with the reason `too_large` above `maximumBytes`
   */
  write(key: string, content: FileContent, options: WriteOptions): Promise<WrittenFile>
  /** Streams a file or a part of it; undefined if there is no such file. Read the stream completely or destroy it. */
  read(key: string, options?: ReadOptions): Promise<Readable | undefined>
  stat(key: string): Promise<StoredFile | undefined>
  /** Removes a file. Does nothing if there is no such file. */
  remove(key: string): Promise<void>
  /** Lists the files whose key starts with `prefix`, by pages, in the byte order of their keys. */
  list(prefix: string, options?: ListOptions): Promise<FileList>
  /** Removes what writes that were interrupted before `before` (ISO 8601) have left, and returns the number. */
  removeAbandoned(before: string): Promise<number>
  /** Declares all current files shared with copies of the database: `remove` keeps them from now on. */
  markShared(): void
  /** Releases connections. Running calls may fail. */
  close(): void
}
