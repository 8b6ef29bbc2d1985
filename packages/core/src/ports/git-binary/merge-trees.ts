import { conflict, notFound } from '../../kernel/errors.ts'
import type { MergedTree, TreeMerge } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'
import { writeTreeCommit } from './write-tree-commit.ts'

const temporaryAuthor = { name: 'Forgelet', email: 'forgelet@localhost', date: '1970-01-01T00:00:00Z' }

/**
 * A commit with the files of `commit` and `base` as its only parent, so that git selects `base` as the merge base. Git 2.39 has
 * no option for that. No reference points to this commit; maintenance removes it.
 */
const rebuildOn = async (runtime: GitRuntime, base: string, commit: string): Promise<string> => {
  const found = await readCommit(runtime, commit)
  if (found === undefined) throw notFound('Commit')
  return writeTreeCommit(runtime, { tree: found.tree, parents: [base], message: '', author: temporaryAuthor })
}

const parseMergedTree = (output: Buffer): MergedTree => {
  const [tree = '', ...paths] = decodeUtf8OrLatin1(output).split('\0')
  return { tree, conflicts: paths.filter((path) => path !== '') }
}

/** See `Repository.mergeTrees`. */
export const mergeTrees = async (
  runtime: GitRuntime,
  { ours, theirs, base, signal }: TreeMerge,
): Promise<MergedTree> => {
  requireCommitIds(base === undefined ? [ours, theirs] : [ours, theirs, base])
  const sides =
    base === undefined ? [ours, theirs] : await Promise.all([ours, theirs].map((id) => rebuildOn(runtime, base, id)))
  const { code, output, stderr } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options', ...sides],
    timeout: runtime.limits.writeTimeout,
    // 1: conflicts; 128: unrelated histories or an unknown commit
    expectedExitCodes: [1, 128],
    signal,
  })
  if (stderr.includes('unrelated histories')) throw conflict('The branches have no common ancestor')
  if (stderr.includes('not something we can merge')) throw notFound('Commit')
  if (code > 1) throw new GitProcessError('git merge-tree', code, stderr)
  return parseMergedTree(output)
}
