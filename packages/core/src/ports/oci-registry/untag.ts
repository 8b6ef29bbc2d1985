import { hash } from 'node:crypto'
import { invalid } from '../../kernel/errors.ts'
import { mapConcurrently } from '../../shared/map-concurrently.ts'
import type { TagRemoval } from '../registry.ts'
import type { RegistryClient } from './client.ts'
import { registryUnavailableError } from './errors.ts'
import { fetchDigest } from './image.ts'
import { buildManifestPath, encodePath } from './name-lists.ts'
import type { RegistryResponse } from './response.ts'

const sha256Digest = (content: Buffer) => `sha256:${hash('sha256', content, 'hex')}`

/** The configuration of an empty image. Constant, so that a later call recognizes the image of an interrupted removal. */
const emptyConfiguration = Buffer.from(
  JSON.stringify({
    architecture: 'none',
    os: 'none',
    config: { Labels: { 'forgelet.untagged': 'true' } },
    rootfs: { type: 'layers', diff_ids: [] },
  }),
)

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json'

const emptyManifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      size: emptyConfiguration.length,
      digest: sha256Digest(emptyConfiguration),
    },
    layers: [],
  }),
)

/** The digest of tags in the process of removal. */
export const emptyDigest = sha256Digest(emptyManifest)

const deleteScope = (path: string) => `repository:${path}:delete,pull,push`

const unexpectedStatusError = ({ status }: RegistryResponse, subject: string) =>
  registryUnavailableError(`it responded with ${status} to ${subject}`)

/** Deletes the manifest of a digest, or a tag if the registry supports it. */
const deleteManifest = async (client: RegistryClient, path: string, reference: string) =>
  client.send(buildManifestPath(path, reference), {
    method: 'DELETE',
    scope: deleteScope(path),
    timeout: client.limits.deletionTimeout,
  })

const uploadConfiguration = async (client: RegistryClient, path: string) => {
  const scope = deleteScope(path)
  const digest = sha256Digest(emptyConfiguration)
  const base = `v2/${encodePath(path)}/blobs`
  const existing = await client.send(`${base}/${digest}`, { method: 'HEAD', scope })
  if (existing.status === 200) return
  const started = await client.send(`${base}/uploads/`, { method: 'POST', scope })
  const location = started.headers.get('location')
  if (started.status !== 202 || location === null) throw unexpectedStatusError(started, 'an upload')
  const uploadUrl = new URL(location, started.url)
  uploadUrl.searchParams.set('digest', digest)
  const headers = { 'Content-Type': 'application/octet-stream' }
  const uploaded = await client.send(uploadUrl, { method: 'PUT', scope, headers, body: emptyConfiguration })
  if (uploaded.status !== 201) throw unexpectedStatusError(uploaded, 'an upload')
}

const putEmptyManifest = async (client: RegistryClient, path: string, reference: string) => {
  const response = await client.send(buildManifestPath(path, reference), {
    method: 'PUT',
    scope: deleteScope(path),
    headers: { 'Content-Type': manifestType },
    body: emptyManifest,
  })
  if (response.status !== 201) throw unexpectedStatusError(response, 'the upload of a manifest')
}

/** Deletes the empty image together with all tags that point to it. */
const deleteEmptyManifest = async (client: RegistryClient, path: string) => {
  const response = await deleteManifest(client, path, emptyDigest)
  if (response.status === 405 || response.status === 400) {
    throw invalid('Deletion is disabled in the container registry')
  }
  if (response.status !== 202 && response.status !== 404) throw unexpectedStatusError(response, 'a deletion')
}

/**
 * For registries that can only delete whole images: moves the tags to an empty image and deletes that image. Deleting the
 * original image would remove its other tags too.
 */
const untagThroughEmptyImage = async (client: RegistryClient, path: string, names: readonly string[]) => {
  await uploadConfiguration(client, path)
  // Tests deletion before any tag is moved: if it is disabled, the tags must keep their images.
  await putEmptyManifest(client, path, emptyDigest)
  await deleteEmptyManifest(client, path)
  await mapConcurrently(names, client.limits.concurrentRequests, (name) => putEmptyManifest(client, path, name))
  await deleteEmptyManifest(client, path)
}

/** Selects the tags that exist and still point to the expected image. */
const selectUnchangedTags = async (client: RegistryClient, path: string, tags: readonly TagRemoval[]) => {
  const digests = await mapConcurrently(tags, client.limits.concurrentRequests, ({ name }) =>
    fetchDigest(client, path, name),
  )
  const isUnchanged = ({ digest }: TagRemoval, current: string | undefined) =>
    current !== undefined && (digest === undefined || current === digest || current === emptyDigest)
  return tags.filter((tag, index) => isUnchanged(tag, digests[index])).map(({ name }) => name)
}

/**
 * Removes tags as described in the OCI distribution specification 1.1 ("Deleting tags"). Registries need not support that;
 * otherwise removes the tags through an empty image.
 */
export const removeTags = async (client: RegistryClient, path: string, tags: readonly TagRemoval[]): Promise<void> => {
  const names = await selectUnchangedTags(client, path, tags)
  const [first, ...others] = names
  if (first === undefined) return
  const response = await deleteManifest(client, path, first)
  if (response.status === 202 || response.status === 404) {
    await mapConcurrently(others, client.limits.concurrentRequests, async (name) => {
      const other = await deleteManifest(client, path, name)
      if (other.status !== 202 && other.status !== 404) throw unexpectedStatusError(other, 'a deletion')
    })
    return
  }
  if (response.status !== 400 && response.status !== 405) throw unexpectedStatusError(response, 'a deletion')
  await untagThroughEmptyImage(client, path, names)
}
