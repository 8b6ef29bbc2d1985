import { isPlatformError, type PlatformError } from '../kernel/errors.ts'

/** An error of an operation with the path of its item in the seed: `.projects[0].issues[3]`. */
export class SeedItemError extends Error {
  readonly path: string
  /** What the item is called in the seed: the path of a project, or a title; empty without a name. */
  readonly item: string
  override readonly cause: PlatformError

  constructor(path: string, cause: PlatformError, item = '') {
    super(cause.message)
    this.path = path
    this.item = item
    this.cause = cause
  }
}

/** Adds a part of the path to the errors of `work`. */
export const atSeedPath = async <T>(part: string, work: () => Promise<T>, item?: string): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SeedItemError) throw new SeedItemError(part + error.path, error.cause, error.item)
    throw isPlatformError(error) ? new SeedItemError(part, error, item) : error
  }
}

const nameOf = (item: unknown): string => {
  const { path, username, title } = item as Readonly<Record<string, unknown>>
  return String(path ?? username ?? title ?? '')
}

/** Seeds the items of a list one after another. */
export const forEachItem = async <T>(
  name: string,
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> => {
  for (const [index, item] of items.entries())
    await atSeedPath(`.${name}[${index}]`, () => work(item, index), nameOf(item))
}
