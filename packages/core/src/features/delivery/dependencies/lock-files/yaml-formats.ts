import { createRequire } from 'node:module'
import { type Collector, entriesOf, fieldOf, isEntries, LockFileError } from './locked-package.ts'

type Library = typeof import('@yarnpkg/parsers')

/** Also reads plain YAML, with texts only and without copies of what aliases name. Loaded by the first file. */
const parse = (text: string): Readonly<Record<string, unknown>> => {
  const { parseSyml } = createRequire(import.meta.url)('@yarnpkg/parsers') as Library
  let value: unknown
  try {
    value = parseSyml(text)
  } catch {
    throw new LockFileError('is not a valid lock file')
  }
  if (isEntries(value)) return value
  throw new LockFileError('is not a mapping')
}

/** The name before the last `@`, which is not the first character: `@scope/name@npm:^1.0.0`. */
const nameOf = (descriptor: string): string => {
  const [first = ''] = descriptor.split(',')
  const at = first.indexOf('@', 1)
  return at < 0 ? first : first.slice(0, at)
}

/** `yarn.lock` of all versions of Yarn. */
export const readYarn = (text: string, to: Collector): void => {
  for (const [descriptor, entry] of entriesOf(parse(text))) {
    const resolution = fieldOf(entry, 'resolution')
    // The second form is a package of the workspace itself.
    if (descriptor === '__metadata' || /@(?:workspace|link|portal):/.test(String(resolution ?? descriptor))) continue
    if (!isEntries(entry)) throw new LockFileError('is not a valid lock file')
    to.add(nameOf(typeof resolution === 'string' ? resolution : descriptor), fieldOf(entry, 'version'))
  }
}

/** `/name/1.0.0_peers` (version 5), `/name@1.0.0(peers)` (6) or `name@1.0.0` (9). */
const readKey = (key: string): readonly [name: string, version: string] => {
  const path = key.replace(/^\//, '').replace(/[(_].*$/, '')
  const at = path.indexOf('@', 1)
  const end = at > 0 ? at : path.lastIndexOf('/')
  return [path.slice(0, end), path.slice(end + 1)]
}

/** `pnpm-lock.yaml` in the versions 5 to 9. */
export const readPnpm = (text: string, to: Collector): void => {
  const lock = parse(text)
  if (fieldOf(lock, 'lockfileVersion') === undefined) throw new LockFileError('has no lockfileVersion')
  for (const [key, entry] of entriesOf(fieldOf(lock, 'packages'))) {
    const [name, version] = readKey(key)
    to.add(fieldOf(entry, 'name') ?? name, fieldOf(entry, 'version') ?? version)
  }
}
