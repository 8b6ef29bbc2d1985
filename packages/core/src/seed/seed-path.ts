import { isPlatformError, type PlatformError } from '../kernel/errors.ts'

/** The field of an item with the name that was not found, and the name: `: author 'kmi'`. */
const describeReference = (item: unknown, { reference }: PlatformError): string => {
  // An id is one of the platform, which seeds do not contain.
  if (typeof reference !== 'string') return ''
  const isMeant = (value: unknown) => value === reference || (Array.isArray(value) && value.includes(reference))
  const [field] = Object.entries(item as object).find(([, value]) => isMeant(value)) ?? []
  return `: ${field === undefined ? '' : `${field} `}'${reference}'`
}

/** An error of an operation with the path of its item in the seed: `.projects[0].issues[3]`. */
export class SeedItemError extends Error {
  readonly path: string
  readonly item: unknown
  override readonly cause: PlatformError

  constructor(path: string, cause: PlatformError, item: unknown) {
    super(cause.message + describeReference(item, cause))
    this.path = path
    this.item = item
    this.cause = cause
  }

  /** What the item is called in the seed: the path of a project, or a title; empty without a name. */
  get itemName(): string {
    const { path, username, title } = this.item as Readonly<Record<string, unknown>>
    return String(path ?? username ?? title ?? '')
  }
}

/** Adds a part of the path to the errors of `work`. `item`: the item of a list to which the path leads. */
export const atSeedPath = async <T>(part: string, work: () => Promise<T>, item: unknown = {}): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SeedItemError) throw new SeedItemError(part + error.path, error.cause, error.item)
    throw isPlatformError(error) ? new SeedItemError(part, error, item) : error
  }
}

/** Seeds the items of a list one after another. */
export const forEachItem = async <T>(
  name: string,
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> => {
  for (const [index, item] of items.entries()) await atSeedPath(`.${name}[${index}]`, () => work(item, index), item)
}
