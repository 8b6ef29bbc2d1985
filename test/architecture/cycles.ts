import type { Source } from './imports.ts'

/** Every circle of imports that exist at run time, as the files it goes through. */
export const cyclesIn = (sources: readonly Source[]): string[][] => {
  const next = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ typeOnly, relative }) => relative && !typeOnly).map(({ to }) => to),
    ]),
  )
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (path: string, above: readonly string[]) => {
    const at = above.indexOf(path)
    if (at >= 0) found.push([...above.slice(at), path])
    if (at >= 0 || done.has(path)) return
    for (const to of next.get(path) ?? []) visit(to, [...above, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return found
}
