import { CiConfigError } from './config-error.ts'
import type { IncludeSource } from './repository-reader.ts'

/** Where the file of a component is: one of two paths. */
export interface ComponentFile extends IncludeSource {
  readonly path: string
  readonly otherPath: string
}

/**
 * The file of `host/group/project/name@version`.
 *
 * @param hosts the names of this host; empty if they are unknown
 * @throws CiConfigError for an address that is not valid, or of another host
 */
export const locateComponent = (address: string, hosts: readonly string[]): ComponentFile => {
  const [, host = '', project, name, version] = /^([^/]*)\/(.+)\/([^/@]+)@([^@]+)$/.exec(address) ?? []
  if (project === undefined || name === undefined || version === undefined)
    throw new CiConfigError(
      `Component '${address.slice(0, 255)}' - the address needs a host, a project, a name and a version`,
    )
  if (hosts.length && !hosts.includes(host))
    throw new CiConfigError(`Component '${address.slice(0, 255)}' - content not found: it is not on this host`)
  return {
    ...{ project, ref: version, isVersion: true },
    path: `templates/${name}.yml`,
    otherPath: `templates/${name}/template.yml`,
  }
}

/** The newest of released versions that begins with a version; any for `~latest`. Tags with other names are no versions. */
export const findVersion = (version: string, tags: readonly string[]): string | undefined => {
  const wanted =
    version === '~latest' ? [] : /^\d+(?:\.\d+)?$/.test(version) ? version.split('.').map(Number) : undefined
  if (wanted === undefined) return undefined
  const compare = (a: readonly number[], b: readonly number[]) =>
    b.map((part, at) => part - (a[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  const [newest] = tags
    .filter((tag) => /^\d+\.\d+\.\d+$/.test(tag))
    .map((tag) => tag.split('.').map(Number))
    .filter((parts) => wanted.every((part, at) => parts[at] === part))
    .toSorted(compare)
  return newest?.join('.')
}
