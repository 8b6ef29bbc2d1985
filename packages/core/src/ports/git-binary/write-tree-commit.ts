import { invalid, notFound } from '../../kernel/errors.ts'
import type { TreeCommit } from '../git.ts'
import { formatSignature } from './import-stream.ts'
import { isObjectId, requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

const assertExists = async ({ objects }: GitRuntime, id: string, type: 'tree' | 'commit') => {
  if (!isObjectId(id) || (await objects.info(id))?.type !== type) throw notFound(type === 'tree' ? 'Tree' : 'Commit')
}

/** See `Repository.writeCommit`. */
export const writeTreeCommit = async (
  runtime: GitRuntime,
  { tree, parents, message, author, committer = author }: TreeCommit,
): Promise<string> => {
  if (message.includes('\0')) throw invalid({ message: ['is invalid'] })
  await assertExists(runtime, tree, 'tree')
  for (const parent of requireCommitIds(parents)) await assertExists(runtime, parent, 'commit')
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(author, 'author')}`,
    `committer ${formatSignature(committer, 'committer')}`,
  ]
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['hash-object', '-t', 'commit', '-w', '--stdin'],
    input: [`${lines.join('\n')}\n\n${message}`],
    timeout: runtime.limits.writeTimeout,
  })
  return output.toString('latin1').trim()
}
