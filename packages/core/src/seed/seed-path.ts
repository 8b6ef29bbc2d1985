import { isPlatformError, type PlatformError } from '../kernel/errors.ts'

/** An error of an operation with the path of its item in the seed: `.projects[0].issues[3]`. */
export class SeedItemError extends Error {
  readonly path: string
  override readonly cause: PlatformError

  constructor(path: string, cause: PlatformError) {
    super(cause.message)
    this.path = path
    this.cause = cause
  }
}

/** Adds a part of the path to the errors of `work`. */
export const atSeedPath = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SeedItemError) throw new SeedItemError(part + error.path, error.cause)
    throw isPlatformError(error) ? new SeedItemError(part, error) : error
  }
}

/** Seeds the items of a list one after another. */
export const forEachItem = async <T>(
  name: string,
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> => {
  for (const [index, item] of items.entries()) await atSeedPath(`.${name}[${index}]`, () => work(item, index))
}
