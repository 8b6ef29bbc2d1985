import type { ConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { type Entries, isEntries, Reference } from './yaml.ts'

/** Levels of `extends`, and of `!reference` in referenced values: as in GitLab. */
const maxExtendsDepth = 10
const maxReferenceDepth = 10

/** Levels of mappings and lists: as in GitLab. */
const maxDepth = 100

/** Assigns an own property, also `__proto__`. */
const define = (target: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })

/** Mappings that are merged into one. */
export interface Merged {
  readonly entries: Entries
  /** Adds a mapping. Mappings are merged at every level; other values replace earlier ones. */
  add(change: Entries): void
}

/** Starts with an empty mapping. Its costs do not depend on what was added before. */
export const createMerged = (budget: ConfigBudget): Merged => {
  const root: Record<string, unknown> = {}
  /** The mappings that belong to the result: others are copied before they change. */
  const own = new Map<unknown, Record<string, unknown>>()
  const addTo = (target: Record<string, unknown>, change: Entries) => {
    const added = Object.entries(change)
    budget.spend(added.length)
    for (const [key, value] of added) {
      const earlier = Object.hasOwn(target, key) ? target[key] : undefined
      if (!isEntries(earlier) || !isEntries(value)) {
        define(target, key, value)
        continue
      }
      let merged = own.get(earlier)
      if (merged === undefined) {
        merged = {}
        own.set(merged, merged)
        addTo(merged, earlier)
        define(target, key, merged)
      }
      addTo(merged, value)
    }
  }
  return { entries: root, add: (change) => addTo(root, change) }
}

const findValue = (root: Entries, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isEntries(value) && Object.hasOwn(value, key) ? value[key] : undefined), root)

const describe = ({ path }: Reference) =>
  `!reference [${path.map((part) => JSON.stringify(part)).join(', ')}]`.slice(0, 1_000)

/** Replaces references by the values that they name. A list within a list becomes part of it. */
export const resolveReferences = (root: Entries, budget: ConfigBudget): Entries => {
  const resolve = (value: unknown, references: number, depth: number): unknown => {
    if (value instanceof Reference) {
      if (references >= maxReferenceDepth)
        throw new CiConfigError(`${describe(value)} could not be found, or is nested too deeply`)
      const found = findValue(root, value.path)
      if (found === undefined) throw new CiConfigError(`${describe(value)} could not be found`)
      return resolve(found, references + 1, depth)
    }
    if (depth > maxDepth) throw new CiConfigError(`The parsed YAML is too big: it has more than ${maxDepth} levels`)
    if (Array.isArray(value)) {
      budget.spend(1)
      return value.flatMap((item) => {
        const resolved = resolve(item, references, depth + 1)
        return item instanceof Reference && Array.isArray(resolved) ? resolved : [resolved]
      })
    }
    if (!isEntries(value)) {
      budget.spend(1, typeof value === 'string' ? value.length : 8)
      return value
    }
    const resolved: Record<string, unknown> = {}
    for (const [key, entry] of Object.entries(value)) {
      budget.spend(1, key.length)
      define(resolved, key, resolve(entry, references, depth + 1))
    }
    return resolved
  }
  return resolve(root, 0, 0) as Entries
}

const parentsOf = (name: string, { extends: parents }: Entries): readonly string[] => {
  if (parents === undefined) return []
  const names = typeof parents === 'string' ? [parents] : parents
  if (!Array.isArray(names) || !names.every((parent) => typeof parent === 'string'))
    throw new CiConfigError(`jobs:${name}:extends config should be an array of strings or a string`)
  return names
}

/** Merges each job into those that it extends, the last one winning. */
export const resolveExtends = (root: Entries, budget: ConfigBudget): Entries => {
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
    if (!parents.length) {
      resolved.set(name, job)
      return job
    }
    const result = createMerged(budget)
    for (const parent of parents) {
      const { extends: _base, ...inherited } = resolve(parent, [...open, name])
      result.add(inherited)
    }
    result.add(job)
    resolved.set(name, result.entries)
    return result.entries
  }
  const merged: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(root)) define(merged, name, isEntries(value) ? resolve(name, []) : value)
  return merged
}
