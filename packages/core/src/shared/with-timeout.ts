/** Resolves to `fallback` after a time in milliseconds; a later result is ignored. */
export const withTimeout = <T>(result: Promise<T>, milliseconds: number, fallback: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), milliseconds)
  })
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}
