import { isTagName } from '../registry.ts'
import type { RegistryClient } from './client.ts'
import { registryUnavailableError } from './errors.ts'
import { parseJson, type RegistryResponse } from './response.ts'

export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** `reference` is a tag or a digest. Some registries reject an encoded colon in a digest. */
export const buildManifestPath = (path: string, reference: string): string =>
  `v2/${encodePath(path)}/manifests/${encodeURIComponent(reference).replace('%3A', ':')}`

export const pullScope = (path: string): string => `repository:${path}:pull`

/** Reads the URL with the relation `next` from a `Link` header (RFC 8288). */
const parseNextLink = (header: string | null): string | undefined =>
  /<([^<>]*)>\s*;\s*rel="?next"?/.exec((header ?? '').slice(0, 4_096))?.[1]

/** Reads all pages of a list; `undefined` when the list does not exist. */
const fetchAllNames = async (
  client: RegistryClient,
  listPath: string,
  scope: string,
  selectNames: (body: unknown) => unknown,
): Promise<readonly string[] | undefined> => {
  const names: string[] = []
  const visited = new Set<string>()
  let next: string | URL | undefined = `${listPath}?n=1000`
  while (next !== undefined) {
    const response: RegistryResponse = await client.send(next, { scope, maximumBytes: client.limits.pageBytes })
    // 400: some valid project paths are invalid repository names.
    if (response.status === 404 || response.status === 400) return undefined
    if (response.status !== 200) {
      throw registryUnavailableError(`it responded with ${response.status} to the request of a list`)
    }
    const page = selectNames(parseJson(response.body)) ?? []
    if (!Array.isArray(page)) throw registryUnavailableError('its response is not a list of names')
    for (const name of page) if (typeof name === 'string') names.push(name)
    if (names.length > client.limits.listedNames)
      throw registryUnavailableError(`it lists more than ${client.limits.listedNames} names`)
    const link = parseNextLink(response.headers.get('link'))
    next = link === undefined ? undefined : new URL(link, response.url)
    // A repeated page would make the list endless.
    if (next !== undefined && visited.size === visited.add(String(next)).size)
      throw registryUnavailableError('the pages of its list form a cycle')
  }
  return names
}

/** The tags of a repository in byte order (OCI distribution specification 1.1, "Listing tags"). */
export const fetchTagNames = async (client: RegistryClient, path: string): Promise<readonly string[]> => {
  const names = await fetchAllNames(
    client,
    `v2/${encodePath(path)}/tags/list`,
    pullScope(path),
    (body) => (body as { tags?: unknown } | null)?.tags,
  )
  return [...new Set(names)].filter(isTagName).sort()
}

/** The paths of all repositories. Some registries have no catalog. */
export const fetchRepositoryPaths = async (client: RegistryClient): Promise<readonly string[]> => {
  const paths = await fetchAllNames(
    client,
    'v2/_catalog',
    'registry:catalog:*',
    (body) => (body as { repositories?: unknown } | null)?.repositories,
  )
  if (paths === undefined) throw registryUnavailableError('it does not support listing its repositories')
  return paths
}
