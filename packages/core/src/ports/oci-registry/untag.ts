import { hash } from 'node:crypto'
import { eachOf } from '../../kernel/each-of.ts'
import { invalid } from '../../kernel/errors.ts'
import type { TagToRemove } from '../registry.ts'
import type { RegistryAnswer, RegistryClient } from './client.ts'
import { unavailable } from './failures.ts'
import { digestAt } from './image.ts'
import { inAddress, manifestPlace } from './names.ts'

const digestOf = (content: Buffer) => `sha256:${hash('sha256', content, 'hex')}`

/** An image of nothing. Always the same, so that what an interrupted removal left behind is known again. */
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
      digest: digestOf(emptyConfiguration),
    },
    layers: [],
  }),
)

/** What a tag stands for that is about to be taken away. */
export const emptyDigest = digestOf(emptyManifest)

const changing = (path: string) => `repository:${path}:delete,pull,push`

const unexpected = ({ status }: RegistryAnswer, what: string) => unavailable(`it answered ${status} to ${what}`)

/** Removes a manifest, or a tag alone where the registry can do that. */
const remove = async (client: RegistryClient, path: string, reference: string) =>
  client.send(manifestPlace(path, reference), {
    method: 'DELETE',
    scope: changing(path),
    time: client.limits.deletionTime,
  })

const uploadConfiguration = async (client: RegistryClient, path: string) => {
  const scope = changing(path)
  const digest = digestOf(emptyConfiguration)
  const base = `v2/${inAddress(path)}/blobs`
  const there = await client.send(`${base}/${digest}`, { method: 'HEAD', scope })
  if (there.status === 200) return
  const begun = await client.send(`${base}/uploads/`, { method: 'POST', scope })
  const location = begun.headers.get('location')
  if (begun.status !== 202 || location === null) throw unexpected(begun, 'an upload')
  const place = new URL(location, begun.url)
  place.searchParams.set('digest', digest)
  const headers = { 'Content-Type': 'application/octet-stream' }
  const done = await client.send(place, { method: 'PUT', scope, headers, body: emptyConfiguration })
  if (done.status !== 201) throw unexpected(done, 'an upload')
}

const putEmpty = async (client: RegistryClient, path: string, reference: string) => {
  const answer = await client.send(manifestPlace(path, reference), {
    method: 'PUT',
    scope: changing(path),
    headers: { 'Content-Type': manifestType },
    body: emptyManifest,
  })
  if (answer.status !== 201) throw unexpected(answer, 'a manifest')
}

/** Takes the empty image away and with it every tag that stands for it. */
const removeEmpty = async (client: RegistryClient, path: string) => {
  const answer = await remove(client, path, emptyDigest)
  if (answer.status === 405 || answer.status === 400) {
    throw invalid('The container registry does not let images be deleted')
  }
  if (answer.status !== 202 && answer.status !== 404) throw unexpected(answer, 'a deletion')
}

/**
 * Where only whole images can be deleted: the tags are first moved to an empty image, and that one is deleted. Deleting the
 * image itself would take every other tag of it away as well.
 */
const throughEmptyImage = async (client: RegistryClient, path: string, names: readonly string[]) => {
  await uploadConfiguration(client, path)
  // Tried without any tag first: a registry that refuses to delete would leave the tags standing for nothing.
  await putEmpty(client, path, emptyDigest)
  await removeEmpty(client, path)
  await eachOf(names, client.limits.requests, (name) => putEmpty(client, path, name))
  await removeEmpty(client, path)
}

/** Those that are still there and still stand for what the caller has seen. */
const unchanged = async (client: RegistryClient, path: string, tags: readonly TagToRemove[]) => {
  const digests = await eachOf(tags, client.limits.requests, ({ name }) => digestAt(client, path, name))
  const stays = ({ digest }: TagToRemove, now: string | undefined) =>
    now === undefined || (digest !== undefined && now !== digest && now !== emptyDigest)
  return tags.filter((tag, at) => !stays(tag, digests[at])).map(({ name }) => name)
}

/**
 * Takes tags away from what they stand for. First as the OCI distribution specification 1.1 has it ("Deleting tags"), which
 * registries need not support; else through an empty image.
 */
export const untagAll = async (client: RegistryClient, path: string, tags: readonly TagToRemove[]): Promise<void> => {
  const names = await unchanged(client, path, tags)
  const [first, ...others] = names
  if (first === undefined) return
  const answer = await remove(client, path, first)
  if (answer.status === 202 || answer.status === 404) {
    await eachOf(others, client.limits.requests, async (name) => {
      const more = await remove(client, path, name)
      if (more.status !== 202 && more.status !== 404) throw unexpected(more, 'a deletion')
    })
    return
  }
  if (answer.status !== 400 && answer.status !== 405) throw unexpected(answer, 'a deletion')
  await throughEmptyImage(client, path, names)
}
