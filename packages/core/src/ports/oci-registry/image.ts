import { hash } from 'node:crypto'
import { type Image, isDigest } from '../registry.ts'
import { jsonOf } from './bounded-body.ts'
import type { RegistryAnswer, RegistryClient } from './client.ts'
import { unavailable } from './failures.ts'
import { inAddress, manifestPlace, pulling } from './names.ts'

/** Everything an image can be written down as; without this, registries translate into forms that are long forgotten. */
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

/** What the registry says, or else what the content says. */
const digestOf = ({ headers, body }: RegistryAnswer): string => {
  const said = headers.get('docker-content-digest') ?? ''
  return isDigest(said) ? said : sha256(body)
}

const instantOf = (text: unknown): string | null => {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const objectIn = (body: Buffer): object => {
  const value = jsonOf(body)
  if (value === null || typeof value !== 'object') throw unavailable('it answered with something that is no object')
  return value
}

const manifestAt = async (client: RegistryClient, path: string, reference: string) => {
  const answer = await client.send(manifestPlace(path, reference), { scope: pulling(path), headers: acceptManifests })
  if (answer.status === 404 || answer.status === 400) return undefined
  if (answer.status !== 200) throw unavailable(`it answered ${answer.status} to a manifest`)
  return { digest: digestOf(answer), manifest: objectIn(answer.body) as Manifest }
}

/** When the configuration says that the image was made; `null` when there is none to read. */
const madeAt = async (client: RegistryClient, path: string, digest: string): Promise<string | null> => {
  const answer = await client.send(`v2/${inAddress(path)}/blobs/${digest}`, { scope: pulling(path) })
  if (answer.status !== 200) return null
  // It may have come from anywhere by way of a redirection: only the content that was promised counts.
  if (sha256(answer.body) !== digest) throw unavailable('a configuration is not what its digest says')
  return instantOf((objectIn(answer.body) as { created?: unknown }).created)
}

const sizeOf = (layers: Manifest['layers']): number | null => {
  if (!Array.isArray(layers)) return null
  const sizes = layers.map(({ size }: { size?: unknown }) => (Number.isSafeInteger(size) ? Number(size) : Number.NaN))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return Number.isNaN(total) ? null : total
}

/** The first form of manifests has no configuration: the newest line of the history says what it would. */
const oldest = ({ history }: Manifest): string | null => {
  const line = history?.[0]?.v1Compatibility
  if (typeof line !== 'string') return null
  return instantOf((objectIn(Buffer.from(line)) as { created?: unknown }).created)
}

/** Of an image for several platforms the one for AMD64 speaks for all, or the first. Attestations are no images. */
const speaker = ({ manifests = [] }: Manifest): string | undefined => {
  const images = manifests.filter(({ platform }) => platform?.architecture !== 'unknown')
  const chosen = images.find(({ platform }) => platform?.architecture === 'amd64') ?? images[0]
  return typeof chosen?.digest === 'string' && isDigest(chosen.digest) ? chosen.digest : undefined
}

const described = async (
  client: RegistryClient,
  path: string,
  manifest: Manifest,
): Promise<Pick<Image, 'revision' | 'createdAt' | 'totalSize'>> => {
  const config = manifest.config?.digest
  if (typeof config !== 'string' || !isDigest(config)) {
    return { revision: null, createdAt: oldest(manifest), totalSize: null }
  }
  const annotated = instantOf(manifest.annotations?.['org.opencontainers.image.created'])
  return {
    revision: config.slice('sha256:'.length),
    createdAt: (await madeAt(client, path, config)) ?? annotated,
    totalSize: sizeOf(manifest.layers),
  }
}

/** What a tag stands for; `undefined` when the registry has no such tag. */
export const imageAt = async (client: RegistryClient, path: string, tag: string): Promise<Image | undefined> => {
  const found = await manifestAt(client, path, tag)
  if (!found) return undefined
  const { digest, manifest } = found
  const chosen = Array.isArray(manifest.manifests) ? speaker(manifest) : undefined
  const single = chosen === undefined ? manifest : (await manifestAt(client, path, chosen))?.manifest
  return { digest, ...(await described(client, path, single ?? manifest)) }
}

/** The digest that a tag stands for, without its manifest where the registry says it. */
export const digestAt = async (client: RegistryClient, path: string, tag: string): Promise<string | undefined> => {
  const answer = await client.send(manifestPlace(path, tag), {
    method: 'HEAD',
    scope: pulling(path),
    headers: acceptManifests,
  })
  if (answer.status === 404 || answer.status === 400) return undefined
  const said = answer.headers.get('docker-content-digest') ?? ''
  if (answer.status === 200 && isDigest(said)) return said
  return (await manifestAt(client, path, tag))?.digest
}
