import { type Collector, entriesOf, fieldOf, isEntries, itemsOf, LockFileError } from './locked-package.ts'

const parse = (text: string): Readonly<Record<string, unknown>> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new LockFileError('is not valid JSON')
  }
  if (isEntries(value)) return value
  throw new LockFileError('is not a JSON object')
}

/** The name in the last `node_modules/` of a path, such as `node_modules/a/node_modules/@b/c`. */
const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Version 1 nests packages in those that use them. */
const readNested = (lock: unknown, to: Collector): void => {
  const waiting = entriesOf(fieldOf(lock, 'dependencies'))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, entry] = next
    to.add(name, fieldOf(entry, 'version'))
    waiting.push(...entriesOf(fieldOf(entry, 'dependencies')))
  }
}

/** `package-lock.json` and `npm-shrinkwrap.json` in the versions 1 to 3. */
export const readNpm = (text: string, to: Collector): void => {
  const lock = parse(text)
  if (!isEntries(fieldOf(lock, 'packages'))) {
    readNested(lock, to)
    return
  }
  for (const [path, entry] of entriesOf(lock.packages)) {
    // Others are the project itself and its workspaces.
    if (!path.includes('node_modules/') || fieldOf(entry, 'link') === true) continue
    to.add(fieldOf(entry, 'name') ?? nameAt(path), fieldOf(entry, 'version'), [fieldOf(entry, 'license')])
  }
}

/** `composer.lock`. */
export const readComposer = (text: string, to: Collector): void => {
  const lock = parse(text)
  for (const list of ['packages', 'packages-dev'])
    for (const entry of itemsOf(fieldOf(lock, list)))
      to.add(fieldOf(entry, 'name'), fieldOf(entry, 'version'), itemsOf(fieldOf(entry, 'license')))
}

/** `Pipfile.lock`. */
export const readPipenv = (text: string, to: Collector): void => {
  const lock = parse(text)
  for (const group of ['default', 'develop'])
    for (const [name, entry] of entriesOf(fieldOf(lock, group))) {
      const version = fieldOf(entry, 'version')
      to.add(name, typeof version === 'string' ? version.replace(/^==/, '') : undefined)
    }
}
