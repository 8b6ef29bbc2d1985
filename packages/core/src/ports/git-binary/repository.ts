import type { Repository } from '../git.ts'
import { archiveStream } from './archive.ts'
import { readBlob, streamBlob } from './blobs.ts'
import { countCommits } from './commit-count.ts'
import { readCommit } from './commit-object.ts'
import { compare } from './compare.ts'
import { contributors } from './contributors.ts'
import { findMergeBase } from './merge-base.ts'
import { push } from './push.ts'
import {
  branchTip,
  listReferences,
  readHead,
  resolveReference,
  setHead,
  taggedCommit,
  updateReferences,
} from './references.ts'
import { treePage } from './tree-page.ts'
import { isRepository, maintain, repositorySize } from './upkeep.ts'
import type { Workplace } from './workplace.ts'
import { createTag, writeCommits } from './write.ts'

export interface RepositoryOptions {
  readonly programFolders: readonly string[]
  readonly pushProtocols: readonly string[]
}

/** Runs pieces of work one after another, whatever becomes of each. */
const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}

/** The calls of one repository. Writers take turns, so that two commits to one branch at once both succeed. */
export const repositoryAt = (place: Workplace, options: RepositoryOptions): Repository => {
  const inTurn = oneByOne()
  return {
    directory: place.directory,
    exists: () => isRepository(place.directory),
    head: () => readHead(place),
    setHead: (branch) => inTurn(() => setHead(place, branch)),
    resolve: (reference) => resolveReference(place, reference),
    branch: (name) => branchTip(place, name),
    tag: (name) => taggedCommit(place, name),
    branches: () => listReferences(place, 'heads'),
    tags: () => listReferences(place, 'tags'),
    updateReferences: (changes) => inTurn(() => updateReferences(place, changes)),
    createTag: (tag) => inTurn(() => createTag(place, tag)),
    write: (commits) => inTurn(() => writeCommits(place, commits)),
    commit: (id) => readCommit(place, id),
    tree: (request) => treePage(place, request),
    blob: (id, blobOptions) => readBlob(place, id, blobOptions),
    blobStream: (id, { signal } = {}) => streamBlob(place, id, signal),
    count: (request) => countCommits(place, request),
    compare: (request) => compare(place, request),
    mergeBase: (commits, { signal } = {}) => findMergeBase(place, commits, signal),
    contributors: (commit, { signal } = {}) => contributors(place, commit, signal),
    archive: (request) => archiveStream(place, request, options.programFolders),
    push: (request) => push(place, request, options.pushProtocols),
    size: () => repositorySize(place),
    maintain: () => maintain(place),
  }
}
