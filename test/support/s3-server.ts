import type { S3FileStorageOptions } from '@forgelet/core'

/** An S3 server with a bucket. */
export interface S3Server {
  readonly options: S3FileStorageOptions & { readonly endpoint: string }
  close(): Promise<void>
}

/** The server that `FORGELET_S3` names, as `https://key:secret@host/bucket`; undefined if it is not set. */
const namedServer = (): S3Server | undefined => {
  const value = process.env.FORGELET_S3
  if (!value) return undefined
  const { origin, username, password, pathname } = new URL(value)
  const credentials = { accessKeyId: username, secretAccessKey: password }
  const prefix = `test-${process.pid}-${Date.now()}/`
  return {
    options: { endpoint: origin, bucket: pathname.slice(1), prefix, credentials },
    close: async () => undefined,
  }
}

/** An emulator of S3 in memory, or the server that `FORGELET_S3` names. */
export const startS3Server = async (): Promise<S3Server> => {
  const named = namedServer()
  if (named) return named
  const { startFauxqs } = await import('fauxqs')
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init: { buckets: ['forge'] } })
  return {
    options: {
      endpoint: `http://127.0.0.1:${server.port}`,
      bucket: 'forge',
      prefix: 'installation/',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    close: () => server.stop(),
  }
}
