import { assertOptions, optionNames } from '../kernel/assert-arguments.ts'
import type { RegistryCredentials } from './oci-registry/authorization.ts'
import { createRegistryClient, withSignal } from './oci-registry/client.ts'
import { fetchImage } from './oci-registry/image.ts'
import { defaultOciLimits, type OciLimits } from './oci-registry/limits.ts'
import { fetchRepositoryPaths, fetchTagNames } from './oci-registry/name-lists.ts'
import { emptyDigest, removeTags } from './oci-registry/untag.ts'
import type { Registry, TagRemoval } from './registry.ts'

/** Options of `ociRegistry`. */
export interface OciRegistryOptions {
  /** `https://registry.example:5000`; the API is below `/v2/`. */
  readonly url: string
  /** The host in image names. Default: the host of `url`. */
  readonly host?: string
  /** Sent only to the registry and to its token server. */
  readonly credentials?: RegistryCredentials
  /** Creates the tokens that the registry requires, instead of the token server that it names: `registryTokens.create`. */
  readonly createToken?: (scopes: string[]) => Promise<string>
  /** Replaces the global `fetch`, for example for proxies, custom certificates and tests. */
  readonly fetch?: typeof fetch
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<OciLimits>
}

const ociRegistryOptions = optionNames<OciRegistryOptions>({
  url: true,
  host: true,
  credentials: true,
  createToken: true,
  fetch: true,
  limits: true,
})
const credentialNames = optionNames<RegistryCredentials>({ username: true, password: true })

const parseRegistryUrl = (text: string): URL => {
  const url = new URL(text.endsWith('/') ? text : `${text}/`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(`The URL of a registry must begin with https:// or http://, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The URL of a registry must not contain a password: pass it as `credentials`')
  }
  return url
}

const splitIntoBatches = (tags: readonly TagRemoval[], size: number) =>
  Array.from({ length: Math.ceil(tags.length / size) }, (_, index) => tags.slice(index * size, (index + 1) * size))

/**
 * Connects to an external registry with the OCI distribution protocol 1.1 or the Docker protocols before it: Docker's registry,
 * Harbor, zot and most others. Removing tags requires that deletion is enabled in the registry.
 *
 * @throws TypeError when the URL is invalid or contains a password, or an option is unknown
 */
export const ociRegistry = (options: OciRegistryOptions): Registry => {
  assertOptions('ociRegistry', options, ociRegistryOptions)
  const { url, host, credentials, createToken, fetch, limits } = options
  assertOptions('credentials', credentials ?? {}, credentialNames)
  assertOptions('limits', limits ?? {}, Object.keys(defaultOciLimits))
  const baseUrl = parseRegistryUrl(url)
  const client = createRegistryClient({
    url: baseUrl,
    credentials,
    createToken,
    // Reads the global at each call, because a host may replace it.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    limits: { ...defaultOciLimits, ...limits },
  })
  return {
    host: host ?? baseUrl.host,
    images: {
      repositories: (options) => fetchRepositoryPaths(withSignal(client, options)),
      tags: (path, options) => fetchTagNames(withSignal(client, options), path),
      async image(path, tag, options) {
        const image = await fetchImage(withSignal(client, options), path, tag)
        return image?.digest === emptyDigest ? undefined : image
      },
      async untag(path, tags, options) {
        const bound = withSignal(client, options)
        for (const batch of splitIntoBatches(tags, client.limits.tagsPerRemoval)) await removeTags(bound, path, batch)
      },
    },
  }
}
