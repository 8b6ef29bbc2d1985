import { resolve } from 'node:path'
import { type PlatformOptions, s3FileStorage } from '@forgelet/core'
import { UsageError } from './cli-error.ts'
import { readCredentialsFile } from './credentials-file.ts'
import type { DataOptions } from './options.ts'

const pathStyles = { auto: undefined, on: true, off: false } as const

const openBucket = (location: string, options: DataOptions): PlatformOptions => {
  const { hostname: bucket, pathname, username, password, search, hash } = new URL(location)
  // All users of this machine can read the arguments of a process.
  if (username !== '' || password !== '')
    throw new UsageError('--files must not contain credentials: use --s3-credentials')
  if (bucket === '' || search !== '' || hash !== '')
    throw new UsageError('--files must be a folder or s3://bucket/prefix')
  const { s3Endpoint: endpoint, s3Region: region, s3Credentials, s3PathStyle } = options
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  const pathStyle = pathStyles[s3PathStyle]
  const keys = s3Credentials === undefined ? undefined : readCredentialsFile(s3Credentials)
  const files = s3FileStorage({
    bucket,
    ...(prefix !== '' && { prefix: `${prefix}/` }),
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(keys && { credentials: { accessKeyId: keys.username, secretAccessKey: keys.password } }),
    ...(pathStyle !== undefined && { pathStyle }),
  })
  return { ports: { files } }
}

/**
 * The platform options for the place of uploaded files.
 *
 * @throws UsageError for options that contradict each other
 * @throws CliError if the credentials file cannot be used
 */
export const fileOptions = (options: DataOptions): PlatformOptions => {
  const { files, database, s3Endpoint, s3Region, s3Credentials } = options
  if (files?.startsWith('s3://')) return openBucket(files, options)
  if (s3Endpoint !== undefined || s3Region !== undefined || s3Credentials !== undefined) {
    throw new UsageError('--s3-endpoint, --s3-region and --s3-credentials require --files s3://bucket')
  }
  if (files !== undefined) return { files: resolve(files) }
  return database === undefined ? {} : { files: resolve('./forgelet.files') }
}
