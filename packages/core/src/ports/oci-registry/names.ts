import { isTagName } from '../registry.ts'
import { jsonOf } from './bounded-body.ts'
import type { RegistryAnswer, RegistryClient } from './client.ts'
import { unavailable } from './failures.ts'

/** `acme/web` in an address. */
export const inAddress = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Where a manifest is, by a tag or a digest, whose colon not every registry takes in any other spelling. */
export const manifestPlace = (path: string, reference: string): string =>
  `v2/${inAddress(path)}/manifests/${encodeURIComponent(reference).replace('%3A', ':')}`

export const pulling = (path: string): string => `repository:${path}:pull`

/** The `next` relation of RFC 8288, as registries write it. */
const nextPage = (header: string | null): string | undefined => {
  const found = /<([^<>]*)>\s*;\s*rel="?next"?/.exec((header ?? '').slice(0, 4_096))
  return found?.[1]
}

/** All pages of a list; `undefined` when the first one does not exist. */
const pages = async (
  client: RegistryClient,
  place: string,
  scope: string,
  namesOf: (body: unknown) => unknown,
): Promise<readonly string[] | undefined> => {
  const names: string[] = []
  const seen = new Set<string>()
  let next: string | URL | undefined = `${place}?n=1000`
  while (next !== undefined) {
    const answer: RegistryAnswer = await client.send(next, { scope, maximum: client.limits.pageBytes })
    // 400: a path of the platform may be one that no registry accepts.
    if (answer.status === 404 || answer.status === 400) return undefined
    if (answer.status !== 200) throw unavailable(`it answered ${answer.status} to a list`)
    const found = namesOf(jsonOf(answer.body)) ?? []
    if (!Array.isArray(found)) throw unavailable('it answered with no list of names')
    for (const name of found) if (typeof name === 'string') names.push(name)
    if (names.length > client.limits.names) throw unavailable(`it lists more than ${client.limits.names} names`)
    const link = nextPage(answer.headers.get('link'))
    next = link === undefined ? undefined : new URL(link, answer.url)
    // Every page is another one, or the list would never end.
    if (next !== undefined && seen.size === seen.add(String(next)).size) throw unavailable('its list never ends')
  }
  return names
}

/** Names of the tags of a repository, ordered by their bytes (OCI distribution specification 1.1, "Listing tags"). */
export const tagNames = async (client: RegistryClient, path: string): Promise<readonly string[]> => {
  const found = await pages(
    client,
    `v2/${inAddress(path)}/tags/list`,
    pulling(path),
    (body) => (body as { tags?: unknown } | null)?.tags,
  )
  return [...new Set(found)].filter(isTagName).sort()
}

/** Paths of all repositories. Not every registry has such a list. */
export const repositoryPaths = async (client: RegistryClient): Promise<readonly string[]> => {
  const found = await pages(
    client,
    'v2/_catalog',
    'registry:catalog:*',
    (body) => (body as { repositories?: unknown } | null)?.repositories,
  )
  if (found === undefined) throw unavailable('it does not list its repositories')
  return found
}
