import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { GitRuntime } from './runtime.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Whether somebody may work in files beside the repository. Bare repositories have neither an index nor further working trees. */
const mayHaveWorkingTree = async (directory: string): Promise<boolean> =>
  basename(directory) === '.git' || (await exists(join(directory, 'index'))) || exists(join(directory, 'worktrees'))

/** See `Repository.checkedOutBranches`. */
export const listCheckedOutBranches = async ({ directory, runner, limits }: GitRuntime): Promise<readonly string[]> => {
  if (!(await mayHaveWorkingTree(directory))) return []
  const { output } = await runner.run({
    directory,
    arguments: ['worktree', 'list', '--porcelain', '-z'],
    timeout: limits.readTimeout,
  })
  const prefix = 'branch refs/heads/'
  const fields = output.toString('utf8').split('\0')
  return fields.filter((field) => field.startsWith(prefix)).map((field) => field.slice(prefix.length))
}
