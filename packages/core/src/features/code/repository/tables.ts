import type { Generated } from 'kysely'
import type { PushCause } from '../../../contract/push-cause.ts'
import type { ReferenceMove } from './reference-move.ts'

export interface RepositoryTables {
  /** Repositories by project. */
  projectRepository: {
    projectId: number
    /** Storage key: a path below the repository folder, or an absolute path that the host owns. */
    place: string
    createdAt: string
  }
  /** The projects whose repository a process is changing. */
  repositoryLock: {
    projectId: number
    /** Random, for each lock. */
    owner: string
    /** Increases while the owner is alive. */
    beat: number
  }
  /** Counts of the contributors of long histories. */
  contributorCount: {
    id: Generated<number>
    projectId: number
    /** The newest commit of the history. */
    commitId: string
    /** Number of commits that were counted, without merges. */
    commits: number
    /** Whether all commits were counted. */
    isComplete: boolean
    createdAt: string
  }
  contributor: {
    countId: number
    email: string
    /** The name in the newest commit. */
    name: string
    /** The address in lowercase, for the order. */
    emailKey: string
    /** The name in lowercase, for the order. */
    nameKey: string
    commits: number
    additions: number
    deletions: number
  }
  /** Fetches with git over HTTP, by day. */
  projectFetch: {
    projectId: number
    /** Calendar date in UTC. */
    date: string
    count: number
  }
  /** The commit of the default branch whose languages were counted. */
  languageCount: {
    projectId: number
    commitId: string
  }
  projectLanguage: {
    projectId: number
    name: string
    /** The name in lowercase, for filters. */
    nameKey: string
    /** Percent, with two decimals. */
    share: number
    /** Place in the order by share, from 0. */
    position: number
  }
  /** Changes of references that git is making, until they are recorded. */
  referenceChange: {
    id: Generated<number>
    projectId: number
    /** Null: the host, without activity of a user. */
    userId: number | null
    moves: readonly ReferenceMove[]
    /** Null for a plain push. */
    cause: PushCause | null
    /** Options that the client of git has sent with the push; null for none. */
    pushOptions: readonly string[] | null
    createdAt: string
  }
}
