/** A package in a lock file. */
export interface LockedPackage {
  readonly name: string
  /** Empty if the file does not determine it. */
  readonly version: string
  /** Names of licenses, as the file has them: SPDX expressions. */
  readonly licenses: readonly string[]
}

/** A lock file that cannot be read. The message is shown to users: it contains nothing of the file. */
export class LockFileError extends Error {}

/** Characters of a name, a version or a license. */
const maxLength = 1_024

const maxLicenses = 20

/** Packages of all files of a project together. */
export const maxPackages = 20_000

const isText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= maxLength &&
  value.isWellFormed() &&
  !value.includes('\0')

/** Addresses are no names: they can contain a password. */
const isName = (value: unknown): value is string => isText(value) && !/:\/\/|\s/.test(value)

/**
 * Versions that are no URLs, paths or commits of git: those can contain a password, and say nothing about the version.
 */
const isVersion = (value: unknown): value is string => isText(value) && /^[\w.+~!-]+$/.test(value)

/** Collects the packages of one file, each name and version once. */
export const createCollector = () => {
  const packages = new Map<string, LockedPackage>()
  return {
    /** Leaves out what has no name. */
    add(name: unknown, version: unknown, licenses: readonly unknown[] = []): void {
      if (!isName(name)) return
      const known = isVersion(version) ? version : ''
      const key = `${name} ${known}`
      if (packages.has(key)) return
      if (packages.size >= maxPackages) throw new LockFileError(`has more than ${maxPackages} packages`)
      packages.set(key, { name, version: known, licenses: licenses.filter(isText).slice(0, maxLicenses) })
    },
    list: (): LockedPackage[] => [...packages.values()],
  }
}

export type Collector = ReturnType<typeof createCollector>

type Entries = Readonly<Record<string, unknown>>

export const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a value of any type: none of a value that is no mapping. */
export const entriesOf = (value: unknown): [string, unknown][] => (isEntries(value) ? Object.entries(value) : [])

/** An own field of a value of any type. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isEntries(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
