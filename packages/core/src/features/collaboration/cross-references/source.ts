import type { Project } from '../../../contract/project.ts'

/** What refers to an issue or a merge request. */
export interface ReferenceSource {
  readonly kind: 'issue' | 'mergeRequest' | 'commit'
  readonly projectId: number
  /** The iid, or the full SHA of a commit. */
  readonly value: string
}

const forms = {
  issue: { noun: 'issue', sign: '#' },
  mergeRequest: { noun: 'merge request', sign: '!' },
  commit: { noun: 'commit', sign: '@' },
} as const

/** `commit 1a2b…`, `issue #1`, or with the path of the project for a reader in another one: `issue acme/web#1`. */
export const formatSource = ({ kind, value }: ReferenceSource, project: Project, readerProjectId: number): string => {
  const { noun, sign } = forms[kind]
  const isOwn = project.id === readerProjectId
  return `${noun} ${isOwn ? '' : project.fullPath}${isOwn && kind === 'commit' ? '' : sign}${value}`
}
