/**
 * Large projects and groups are removed by jobs. Until then they have another path, so that their own is free, and are private
 * and read-only: only their members and administrators see them.
 */
export const hidden = { archived: true, visibility: 'private' } as const

/** The path before the removal was scheduled. */
export const toEarlierPath = ({ id, path }: { readonly id: number; readonly path: string }): string => {
  const suffix = `-deletion_scheduled-${id}`
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path
}

export const toScheduledPath = ({ id, path }: { readonly id: number; readonly path: string }): string => {
  return `${toEarlierPath({ id, path })}-deletion_scheduled-${id}`
}
