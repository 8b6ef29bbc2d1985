import type { RegistryCredentials } from './oci-registry/authorization.ts'
import { registryClient } from './oci-registry/client.ts'
import { imageAt } from './oci-registry/image.ts'
import { defaultLimits, type OciLimits } from './oci-registry/limits.ts'
import { repositoryPaths, tagNames } from './oci-registry/names.ts'
import { emptyDigest, untagAll } from './oci-registry/untag.ts'
import type { Registry, TagToRemove } from './registry.ts'

/** Where a registry outside is, and how much of it is read. */
export interface OciRegistryOptions {
  /** Where it is: `https://registry.example:5000`. Everything is asked below `/v2/` there. */
  readonly url: string
  /** What names of images begin with; the host of `url` when left out. */
  readonly host?: string
  /** Sent to the registry, and to the server that it names for tokens, never anywhere else. */
  readonly credentials?: RegistryCredentials
  /** Instead of the global `fetch`: for proxies, certificates of one's own and tests. */
  readonly fetch?: typeof fetch
  /** Sizes, times and counts beyond which an answer is refused; those left out keep their defaults. */
  readonly limits?: Partial<OciLimits>
}

const addressOf = (text: string): URL => {
  const url = new URL(text.endsWith('/') ? text : `${text}/`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('A registry has an http or https URL')
  if (url.username !== '' || url.password !== '') throw new TypeError('Give the registry’s password as `credentials`')
  return url
}

const slices = (tags: readonly TagToRemove[], size: number) =>
  Array.from({ length: Math.ceil(tags.length / size) }, (_, at) => tags.slice(at * size, (at + 1) * size))

/**
 * A registry that speaks the OCI distribution protocol, version 1.1 or any older one of Docker's: Docker's own, Harbor, zot
 * and most others. Needs deletion to be switched on there where tags are to be removed.
 *
 * @throws TypeError when the URL is none, or holds a password
 */
export const ociRegistry = ({ url, host, credentials, fetch, limits }: OciRegistryOptions): Registry => {
  const address = addressOf(url)
  const client = registryClient({
    url: address,
    credentials,
    // Looked up with each call: a host may put another one in its place.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    limits: { ...defaultLimits, ...limits },
  })
  return {
    host: host ?? address.host,
    images: {
      repositories: () => repositoryPaths(client),
      tags: (path) => tagNames(client, path),
      async image(path, tag) {
        const found = await imageAt(client, path, tag)
        return found?.digest === emptyDigest ? undefined : found
      },
      async untag(path, tags) {
        for (const slice of slices(tags, client.limits.untagged)) await untagAll(client, path, slice)
      },
    },
  }
}
