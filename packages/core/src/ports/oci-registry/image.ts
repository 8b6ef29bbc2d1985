import { hash } from 'node:crypto'
import { type Image, isDigest } from '../registry.ts'
import type { RegistryClient } from './client.ts'
import { registryUnavailableError } from './errors.ts'
import { buildManifestPath, encodePath, pullScope } from './name-lists.ts'
import { parseJson } from './response.ts'

/** All supported manifest types. Without an `Accept` header, registries convert manifests to obsolete types. */
const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v1+prettyjws',
] as const

const acceptManifests = { Accept: manifestTypes.join(', ') }

interface Manifest {
  readonly schemaVersion?: unknown
  readonly config?: { readonly digest?: unknown }
  readonly layers?: readonly { readonly size?: unknown }[]
  readonly manifests?: readonly { readonly digest?: unknown; readonly platform?: { readonly architecture?: unknown } }[]
  readonly history?: readonly { readonly v1Compatibility?: unknown }[]
  readonly annotations?: Readonly<Record<string, unknown>>
}

const sha256 = (body: Buffer) => `sha256:${hash('sha256', body, 'hex')}`

const readDigestHeader = (headers: Headers): string | undefined => {
  const digest = headers.get('docker-content-digest') ?? ''
  return isDigest(digest) ? digest : undefined
}

const parseInstant = (text: unknown): string | null => {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const parseJsonObject = (body: Buffer): object => {
  const value = parseJson(body)
  if (value === null || typeof value !== 'object') throw registryUnavailableError('its response is not a JSON object')
  return value
}

const fetchManifest = async (client: RegistryClient, path: string, reference: string) => {
  const { status, headers, body } = await client.send(buildManifestPath(path, reference), {
    scope: pullScope(path),
    headers: acceptManifests,
  })
  if (status === 404 || status === 400) return undefined
  if (status !== 200) throw registryUnavailableError(`it responded with ${status} to the request of a manifest`)
  return { digest: readDigestHeader(headers) ?? sha256(body), manifest: parseJsonObject(body) as Manifest }
}

/** The creation date in the image configuration; `null` when the configuration is missing or contains no date. */
const fetchCreatedAt = async (client: RegistryClient, path: string, digest: string): Promise<string | null> => {
  const { status, body } = await client.send(`v2/${encodePath(path)}/blobs/${digest}`, { scope: pullScope(path) })
  if (status !== 200) return null
  // A redirect may have led to another server.
  if (sha256(body) !== digest) throw registryUnavailableError('an image configuration does not match its digest')
  return parseInstant((parseJsonObject(body) as { created?: unknown }).created)
}

const sumLayerSizes = (layers: Manifest['layers']): number | null => {
  if (!Array.isArray(layers)) return null
  const sizes = layers.map(({ size }: { size?: unknown }) => (Number.isSafeInteger(size) ? Number(size) : Number.NaN))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return Number.isNaN(total) ? null : total
}

/** Manifests of schema version 1 have no configuration; the first history entry contains the same data. */
const readHistoryCreatedAt = ({ history }: Manifest): string | null => {
  const entry = history?.[0]?.v1Compatibility
  if (typeof entry !== 'string') return null
  return parseInstant((parseJsonObject(Buffer.from(entry)) as { created?: unknown }).created)
}

/** Selects the amd64 image of a multi-platform image, or else the first. Attestations have the architecture `unknown`. */
const selectPlatformDigest = ({ manifests = [] }: Manifest): string | undefined => {
  const images = manifests.filter(({ platform }) => platform?.architecture !== 'unknown')
  const chosen = images.find(({ platform }) => platform?.architecture === 'amd64') ?? images[0]
  return typeof chosen?.digest === 'string' && isDigest(chosen.digest) ? chosen.digest : undefined
}

const describeImage = async (
  client: RegistryClient,
  path: string,
  manifest: Manifest,
): Promise<Pick<Image, 'revision' | 'createdAt' | 'totalSize'>> => {
  const config = manifest.config?.digest
  if (typeof config !== 'string' || !isDigest(config)) {
    return { revision: null, createdAt: readHistoryCreatedAt(manifest), totalSize: null }
  }
  const annotated = parseInstant(manifest.annotations?.['org.opencontainers.image.created'])
  return {
    revision: config.slice('sha256:'.length),
    createdAt: (await fetchCreatedAt(client, path, config)) ?? annotated,
    totalSize: sumLayerSizes(manifest.layers),
  }
}

/** The image that a tag points to; `undefined` when the tag does not exist. */
export const fetchImage = async (client: RegistryClient, path: string, tag: string): Promise<Image | undefined> => {
  const tagged = await fetchManifest(client, path, tag)
  if (!tagged) return undefined
  const { digest, manifest } = tagged
  const platformDigest = Array.isArray(manifest.manifests) ? selectPlatformDigest(manifest) : undefined
  const single = platformDigest === undefined ? manifest : (await fetchManifest(client, path, platformDigest))?.manifest
  return { digest, ...(await describeImage(client, path, single ?? manifest)) }
}

/** The digest that a tag points to. Fetches the manifest only when the registry sends no digest header. */
export const fetchDigest = async (client: RegistryClient, path: string, tag: string): Promise<string | undefined> => {
  const { status, headers } = await client.send(buildManifestPath(path, tag), {
    method: 'HEAD',
    scope: pullScope(path),
    headers: acceptManifests,
  })
  if (status === 404 || status === 400) return undefined
  const digest = status === 200 ? readDigestHeader(headers) : undefined
  return digest ?? (await fetchManifest(client, path, tag))?.digest
}
