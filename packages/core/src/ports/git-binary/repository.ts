import type { Repository } from '../git.ts'
import { createArchiveStream, createBundle } from './archive.ts'
import { blame } from './blame.ts'
import { readBlob, streamBlob } from './blobs.ts'
import { countCommits, countEachCommits } from './commit-count.ts'
import {
  listBranchesMergedInto,
  listCommits,
  listReferencesContaining,
  readCommitDiffs,
  readCommitStats,
} from './commit-list.ts'
import { readCommit } from './commit-object.ts'
import { compare } from './compare.ts'
import { countContributors, listContributors } from './contributors.ts'
import { fetchObjects } from './fetch-objects.ts'
import { fetchRemote } from './fetch-remote.ts'
import { listFiles } from './list-files.ts'
import { findMergeBase } from './merge-base.ts'
import { mergeTrees } from './merge-trees.ts'
import { findReachable, listChangedFiles, listNewCommits } from './new-commits.ts'
import { push } from './push.ts'
import { receiveObjects } from './receive-objects.ts'
import {
  findBranchTip,
  findTaggedCommit,
  listReferences,
  peelObject,
  readHead,
  readReference,
  resolveReference,
  setHead,
  updateReferences,
} from './references.ts'
import {
  findDamage,
  isRepository,
  maintainRepository,
  measureRepository,
  readObjectFormat,
} from './repository-lifecycle.ts'
import { recoverRepository } from './repository-recovery.ts'
import type { GitRuntime } from './runtime.ts'
import { searchFiles } from './search-files.ts'
import { readObjectSignature } from './signed-object.ts'
import { readAnnotation } from './tag-object.ts'
import { readTreePage } from './tree-page.ts'
import { advertise, uploadPack } from './upload-pack.ts'
import { listCheckedOutBranches } from './working-trees.ts'
import { createTag, isAncestor, writeCommits } from './write-commits.ts'
import { writeTreeCommit } from './write-tree-commit.ts'

export interface RepositoryOptions {
  readonly programFolders: readonly string[]
  readonly pushProtocols: readonly string[]
}

/** Runs functions one after another. A failure does not affect the next function. */
const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}

/**
 * Writes of one process run one after another, so that concurrent commits to the same branch succeed. Writes of several
 * processes are safe, but one of two conflicting ones fails: the platform's lock in the database prevents that.
 */
export const createRepositoryHandle = (runtime: GitRuntime, options: RepositoryOptions): Repository => {
  const enqueue = createSerialQueue()
  return {
    directory: runtime.directory,
    exists: () => isRepository(runtime.directory),
    objectFormat: () => readObjectFormat(runtime),
    head: () => readHead(runtime),
    setHead: (branch) => enqueue(() => setHead(runtime, branch)),
    checkedOutBranches: () => listCheckedOutBranches(runtime),
    resolve: (reference) => resolveReference(runtime, reference),
    branch: (name) => findBranchTip(runtime, name),
    tag: (name) => findTaggedCommit(runtime, name),
    branches: () => listReferences(runtime, 'heads'),
    tags: () => listReferences(runtime, 'tags'),
    reference: (name) => readReference(runtime, name),
    peel: (id) => peelObject(runtime, id),
    updateReferences: (changes) => enqueue(() => updateReferences(runtime, changes)),
    createTag: (tag, updateOptions) => enqueue(() => createTag(runtime, tag, updateOptions)),
    writeCommits: (commits, updateOptions) => enqueue(() => writeCommits(runtime, commits, updateOptions)),
    mergeTrees: (request) => mergeTrees(runtime, request),
    writeCommit: (commit) => writeTreeCommit(runtime, commit),
    commit: (id) => readCommit(runtime, id),
    tree: (request) => readTreePage(runtime, request),
    files: (commit, { signal } = {}) => listFiles(runtime, commit, signal),
    blob: (id, blobOptions) => readBlob(runtime, id, blobOptions),
    blobStream: (id, { signal } = {}) => streamBlob(runtime, id, signal),
    listCommits: (request) => listCommits(runtime, request),
    newCommits: (tip, options) => listNewCommits(runtime, tip, options),
    changedFiles: (commits, options) => listChangedFiles(runtime, commits, options),
    searchFiles: (request) => searchFiles(runtime, request),
    commitStats: (ids, { signal } = {}) => readCommitStats(runtime, ids, signal),
    commitDiffs: (id, diffOptions) => readCommitDiffs(runtime, id, diffOptions),
    referencesContaining: (commit, { signal } = {}) => listReferencesContaining(runtime, commit, signal),
    branchesMergedInto: (commit, { signal } = {}) => listBranchesMergedInto(runtime, commit, signal),
    blame: (request) => blame(runtime, request),
    annotation: (id) => readAnnotation(runtime, id),
    signature: (id) => readObjectSignature(runtime, id),
    countCommits: (request) => countCommits(runtime, request),
    countEachCommits: (request) => countEachCommits(runtime, request),
    findReachable: (request) => findReachable(runtime, request),
    compare: (request) => compare(runtime, request),
    mergeBase: (commits, { signal } = {}) => findMergeBase(runtime, commits, signal),
    contributors: (commit, { signal } = {}) => listContributors(runtime, commit, signal),
    countContributors: (request) => countContributors(runtime, request),
    isAncestor: (ancestor, commit, { signal } = {}) => isAncestor(runtime, ancestor, commit, signal),
    advertise: (request) => advertise(runtime, request),
    uploadPack: (request) => uploadPack(runtime, request),
    receiveObjects: (request) => receiveObjects(runtime, request),
    fetchObjects: (request) => fetchObjects(runtime, request),
    fetchRemote: (request) => enqueue(() => fetchRemote(runtime, request, options.pushProtocols)),
    bundle: (bundleOptions) => createBundle(runtime, bundleOptions),
    archive: (request) => createArchiveStream(runtime, request, options.programFolders),
    push: (request) => push(runtime, request, options.pushProtocols),
    findDamage: (damageOptions) => findDamage(runtime, damageOptions),
    size: () => measureRepository(runtime),
    recover: () => enqueue(() => recoverRepository(runtime)),
    maintain: (options) => maintainRepository(runtime, options),
  }
}
