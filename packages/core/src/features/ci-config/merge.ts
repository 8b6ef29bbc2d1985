import { CiConfigError } from './config-error.ts'
import { type Entries, isEntries, Reference } from './yaml.ts'

/** Levels of `extends`, and of `!reference` in referenced values: as in GitLab. */
const maxExtendsDepth = 10
const maxReferenceDepth = 10

/** Merges mappings at every level; other values of the second replace those of the first. */
export const deepMerge = (base: Entries, change: Entries): Entries => {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(change)) {
    const earlier = Object.hasOwn(merged, key) ? merged[key] : undefined
    define(merged, key, isEntries(earlier) && isEntries(value) ? deepMerge(earlier, value) : value)
  }
  return merged
}

/** Assigns an own property, also `__proto__`. */
const define = (target: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })

const findValue = (root: Entries, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isEntries(value) && Object.hasOwn(value, key) ? value[key] : undefined), root)

/** Replaces references by the values that they name. A list within a list becomes part of it. */
export const resolveReferences = (root: Entries): Entries => {
  const resolve = (value: unknown, depth: number): unknown => {
    if (value instanceof Reference) {
      if (depth >= maxReferenceDepth)
        throw new CiConfigError(`${describe(value)} could not be found, or is nested too deeply`)
      const found = findValue(root, value.path)
      if (found === undefined) throw new CiConfigError(`${describe(value)} could not be found`)
      return resolve(found, depth + 1)
    }
    if (Array.isArray(value))
      return value.flatMap((item) =>
        item instanceof Reference ? (resolve(item, depth) as unknown[]) : [resolve(item, depth)],
      )
    if (!isEntries(value)) return value
    const resolved: Record<string, unknown> = {}
    for (const [key, entry] of Object.entries(value)) define(resolved, key, resolve(entry, depth))
    return resolved
  }
  return resolve(root, 0) as Entries
}

const describe = ({ path }: Reference) => `!reference [${path.map((part) => JSON.stringify(part)).join(', ')}]`

const parentsOf = (name: string, { extends: parents }: Entries): readonly string[] => {
  if (parents === undefined) return []
  const names = typeof parents === 'string' ? [parents] : parents
  if (!Array.isArray(names) || !names.every((parent) => typeof parent === 'string'))
    throw new CiConfigError(`jobs:${name}:extends config should be an array of strings or a string`)
  return names
}

/** Merges each job into those that it extends, the last one winning. */
export const resolveExtends = (root: Entries): Entries => {
  const resolved = new Map<string, Entries>()
  const resolve = (name: string, open: readonly string[]): Entries => {
    const known = resolved.get(name)
    if (known) return known
    const job = root[name] as Entries
    if (open.includes(name)) throw new CiConfigError(`${name}: circular dependency detected in \`extends\``)
    if (open.length > maxExtendsDepth) throw new CiConfigError(`${open[0]}: nesting too deep in \`extends\``)
    const parents = parentsOf(name, job)
    const unknown = parents.filter((parent) => !Object.hasOwn(root, parent))
    if (unknown.length) throw new CiConfigError(`${name}: unknown keys in \`extends\` (${unknown.join(', ')})`)
    const invalid = parents.filter((parent) => !isEntries(root[parent]))
    if (invalid.length) throw new CiConfigError(`${name}: invalid base hashes in \`extends\` (${invalid.join(', ')})`)
    const base = parents.reduce<Entries>((merged, parent) => deepMerge(merged, resolve(parent, [...open, name])), {})
    const { extends: _base, ...inherited } = base
    const result = deepMerge(inherited, job)
    resolved.set(name, result)
    return result
  }
  const merged: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(root)) define(merged, name, isEntries(value) ? resolve(name, []) : value)
  return merged
}
