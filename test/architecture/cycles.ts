import type { Source } from './imports.ts'

/** Every import cycle, type-only and dynamic imports included, as a list of files that ends with the first one. */
export const cyclesIn = (sources: readonly Source[]): string[][] => {
  const next = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(({ relative }) => relative).map(({ to }) => to)]),
  )
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (path: string, ancestors: readonly string[]) => {
    const start = ancestors.indexOf(path)
    if (start >= 0) cycles.push([...ancestors.slice(start), path])
    if (start >= 0 || done.has(path)) return
    for (const to of next.get(path) ?? []) visit(to, [...ancestors, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return cycles
}
