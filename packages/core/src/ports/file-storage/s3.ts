import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { assertOptions, optionNames } from '../../kernel/assert-arguments.ts'
import { getErrorCode, toError } from '../../shared/error-code.ts'
import type { FileContent, FileStorage, StoredFile } from '../file-storage.ts'
import { assertFileKey, assertFilePrefix } from './file-key.ts'
import { type MeasuredContent, measureContent } from './measured-content.ts'
import { toS3Error, undefinedIfMissing, undefinedIfNotImplemented } from './s3-errors.ts'

/** Options of `s3FileStorage`. Times are in milliseconds. */
export interface S3FileStorageOptions {
  readonly bucket: string
  /** The start of every key, such as `forgelet/`, so that installations can share a bucket. Default: none. */
  readonly prefix?: string
  /** The URL of another store than Amazon S3. */
  readonly endpoint?: string
  /** Default: the region of the environment (`AWS_REGION`); `us-east-1` with an endpoint. */
  readonly region?: string
  /** Default: those of the environment, of the configuration files or of the machine, as the AWS SDK finds them. */
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  /** Puts the bucket into the path instead of the host name. Default: true with an endpoint. */
  readonly pathStyle?: boolean
  /** Default: 5 s. */
  readonly connectTimeout?: number
  /** Until the response begins, and between two parts of it. Default: 30 s. */
  readonly requestTimeout?: number
  /** Bytes of one part of a large upload, held in memory; at least 5 MiB. Default: 8 MiB. */
  readonly partBytes?: number
}

const s3Options = optionNames<S3FileStorageOptions>({
  bucket: true,
  prefix: true,
  endpoint: true,
  region: true,
  credentials: true,
  pathStyle: true,
  connectTimeout: true,
  requestTimeout: true,
  partBytes: true,
})
const credentialNames = optionNames<NonNullable<S3FileStorageOptions['credentials']>>({
  accessKeyId: true,
  secretAccessKey: true,
  sessionToken: true,
})

/** Providers of the SDK add fields of their own: the names of complete credentials are not checked. */
const assertCredentials = (credentials: S3FileStorageOptions['credentials']): void => {
  if (credentials === undefined) return
  const { accessKeyId, secretAccessKey } = credentials
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    assertOptions('credentials', credentials, credentialNames)
  }
}

type Sdk = typeof import('@aws-sdk/client-s3') & Pick<typeof import('@aws-sdk/lib-storage'), 'Upload'>

/**
 * Loaded with the first call, because only platforms with this storage have the packages. Bundlers would require them if they
 * were imported.
 */
const loadSdk = (): Sdk => {
  try {
    const load = createRequire(import.meta.url)
    const { Upload } = load('@aws-sdk/lib-storage') as typeof import('@aws-sdk/lib-storage')
    return { ...(load('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3')), Upload }
  } catch (error) {
    if (getErrorCode(error) !== 'MODULE_NOT_FOUND') throw error
    const packages = '@aws-sdk/client-s3 and @aws-sdk/lib-storage'
    throw new Error(`The S3 storage requires ${packages} beside @forgelet/core: install them with npm`, {
      cause: error,
    })
  }
}

const toClientConfig = (options: S3FileStorageOptions): S3ClientConfig => {
  const { endpoint, region, credentials, pathStyle = endpoint !== undefined } = options
  const { connectTimeout = 5_000, requestTimeout = 30_000 } = options
  return {
    forcePathStyle: pathStyle,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectTimeout, requestTimeout, socketTimeout: requestTimeout },
    // Other stores than Amazon S3 reject the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint, region: region ?? 'us-east-1' }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
  }
}

/** Reads content that fits into one part, so that a small file needs one request; undefined if it is longer. */
const readSmall = async (content: MeasuredContent, limit: number) => {
  const chunks: Uint8Array[] = []
  let size = 0
  const iterator = content[Symbol.asyncIterator]()
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    chunks.push(next.value)
    size += next.value.byteLength
    if (size > limit) {
      const rest: FileContent = { [Symbol.asyncIterator]: () => iterator }
      return { start: chunks, rest }
    }
  }
  return { body: Buffer.concat(chunks) }
}

async function* concatenate(start: readonly Uint8Array[], rest: FileContent) {
  yield* start
  yield* rest
}

/**
 * Stores files in a bucket of Amazon S3 or of a compatible store. Requires the packages `@aws-sdk/client-s3` and
 * `@aws-sdk/lib-storage`.
 */
export const s3FileStorage = (options: S3FileStorageOptions): FileStorage => {
  assertOptions('s3FileStorage', options, s3Options)
  assertCredentials(options.credentials)
  const { bucket: Bucket, prefix = '', partBytes = 8 * 1024 ** 2 } = options
  let client: S3Client | undefined
  let isClosed = false
  const nameOf = (key: string) => `${prefix}${assertFileKey(key)}`

  const call = async <T>(work: (client: S3Client, sdk: Sdk) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const sdk = loadSdk()
    if (isClosed) throw new Error('The file storage is closed')
    client ??= new sdk.S3Client(toClientConfig(options))
    try {
      return await work(client, sdk)
    } catch (error) {
      signal?.throwIfAborted()
      throw toS3Error(error)
    }
  }

  const callIfFound = <T>(work: (client: S3Client, sdk: Sdk) => Promise<T>, signal?: AbortSignal) =>
    call((...parameters) => work(...parameters).catch(undefinedIfMissing), signal)

  return {
    async write(key, content, writeOptions) {
      const Key = nameOf(key)
      const measured = measureContent(content, writeOptions)
      const { signal } = writeOptions
      const small = await readSmall(measured, partBytes)
      await call(async (client, { PutObjectCommand, Upload }) => {
        if ('body' in small) {
          const command = new PutObjectCommand({ Bucket, Key, Body: small.body })
          return client.send(command, { ...(signal && { abortSignal: signal }) })
        }
        // A multipart upload becomes visible when it is completed; the SDK aborts it after an error.
        const Body = Readable.from(concatenate(small.start, small.rest), { objectMode: false })
        const upload = new Upload({ client, params: { Bucket, Key, Body }, partSize: partBytes, queueSize: 2 })
        const abort = () => void upload.abort()
        signal?.addEventListener('abort', abort, { once: true })
        try {
          return await upload.done()
        } catch (error) {
          // Not the consequences of the error, such as a failed abort.
          measured.throwIfFailed()
          throw error
        } finally {
          signal?.removeEventListener('abort', abort)
        }
      }, signal)
      return measured.result()
    },

    async read(key, { offset = 0, length, signal } = {}) {
      if (length === 0) return (await this.stat(key)) && Readable.from([])
      const end = length === undefined ? '' : offset + length - 1
      const Range = offset === 0 && length === undefined ? undefined : `bytes=${offset}-${end}`
      const request = { Bucket, Key: nameOf(key), Range }
      return callIfFound(async (client, { GetObjectCommand }) => {
        const abortable = { ...(signal && { abortSignal: signal }) }
        try {
          return (await client.send(new GetObjectCommand(request), abortable)).Body as Readable
        } catch (error) {
          // The file ends before the range.
          if (toError(error).name === 'InvalidRange') return Readable.from([])
          throw error
        }
      }, signal)
    },

    stat: (key) =>
      callIfFound(async (client, { HeadObjectCommand }): Promise<StoredFile> => {
        const found = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) }))
        return { key, size: found.ContentLength ?? 0, modifiedAt: (found.LastModified ?? new Date(0)).toISOString() }
      }),

    async remove(key) {
      await callIfFound((client, { DeleteObjectCommand }) =>
        client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) })),
      )
    },

    async list(filePrefix, { after, limit = 1_000 } = {}) {
      const Prefix = `${prefix}${assertFilePrefix(filePrefix)}`
      const StartAfter = after === undefined ? undefined : nameOf(after)
      const found = await call((client, { ListObjectsV2Command }) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix, StartAfter, MaxKeys: limit })),
      )
      const files = (found.Contents ?? []).map(
        ({ Key = '', Size = 0, LastModified = new Date(0) }): StoredFile => ({
          key: Key.slice(prefix.length),
          size: Size,
          modifiedAt: LastModified.toISOString(),
        }),
      )
      const last = files.at(-1)
      return { files, ...(found.IsTruncated && last && { next: last.key }) }
    },

    async removeAbandoned(before) {
      const uploads = await call((client, { ListMultipartUploadsCommand }) =>
        client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })).catch(undefinedIfNotImplemented),
      )
      let removed = 0
      for (const { Key, UploadId, Initiated } of uploads?.Uploads ?? []) {
        if (Initiated !== undefined && Initiated.toISOString() >= before) continue
        await callIfFound((client, { AbortMultipartUploadCommand }) =>
          client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })),
        )
        removed += 1
      }
      return removed
    },

    markShared: () => undefined,
    close() {
      isClosed = true
      client?.destroy()
    },
  }
}
