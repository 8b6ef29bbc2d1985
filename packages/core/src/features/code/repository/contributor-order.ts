import type { Contributor } from '../../../ports/git.ts'

export const contributorOrders = ['name', 'email', 'commits'] as const

export type ContributorOrder = (typeof contributorOrders)[number]

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Sorts case-insensitively. Equal contributors are sorted by ascending name, then by e-mail address. */
export const sortContributors = (
  contributors: readonly Contributor[],
  orderBy: ContributorOrder,
  sort: 'asc' | 'desc',
): readonly Contributor[] => {
  const direction = sort === 'desc' ? -1 : 1
  const keyed = contributors.map((contributor) => ({
    contributor,
    name: contributor.name.toLowerCase(),
    email: contributor.email.toLowerCase(),
    commits: contributor.commits,
  }))
  type Keyed = (typeof keyed)[number]
  const first = (one: Keyed, other: Keyed) =>
    orderBy === 'commits' ? one.commits - other.commits : compareText(one[orderBy], other[orderBy])
  keyed.sort(
    (one, other) =>
      direction * first(one, other) ||
      compareText(one.name, other.name) ||
      compareText(one.email, other.email) ||
      compareText(one.contributor.email, other.contributor.email),
  )
  return keyed.map(({ contributor }) => contributor)
}
