import { isMoreVisible, type Visibility } from '../access/levels.ts'

interface Placed {
  /** Full path. */
  readonly path: string
  readonly visibility?: Visibility | undefined
}

/** A group is at least as visible as its subgroups and projects. Returns the widest visibility that is stated below a group. */
export const findNeededVisibilities = (items: readonly Placed[]): ((group: string) => Visibility | undefined) => {
  const needed = new Map<string, Visibility>()
  for (const { path, visibility } of items) {
    if (visibility === undefined || visibility === 'private') continue
    const names = path.toLowerCase().split('/')
    for (let depth = 1; depth < names.length; depth++) {
      const group = names.slice(0, depth).join('/')
      const current = needed.get(group)
      if (current === undefined || isMoreVisible(visibility, current)) needed.set(group, visibility)
    }
  }
  return (group) => needed.get(group.toLowerCase())
}
