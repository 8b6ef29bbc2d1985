import { execFileSync } from 'node:child_process'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { buildGitEnvironment } from '../../../packages/core/src/ports/git-binary/environment.ts'
import { createSampleHistory } from '../../support/sample-history.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'

const rounds = 25
const project = 'acme/web'
const environment = {
  ...buildGitEnvironment({}, ['file']),
  GIT_AUTHOR_NAME: 'Git',
  GIT_AUTHOR_EMAIL: 'git@example.com',
  GIT_COMMITTER_NAME: 'Git',
  GIT_COMMITTER_EMAIL: 'git@example.com',
}

/** The commands that a script needs for the same merge, its checks and the record of the push. */
const mergeWithGit = (directory: string, source: string, target: string) => {
  const git = (...args: string[]) =>
    execFileSync('git', [`--git-dir=${directory}`, ...args], { env: environment, encoding: 'utf8' }).trim()
  const [head = '', tip = ''] = git('rev-parse', `refs/heads/${source}`, `refs/heads/${target}`).split('\n')
  git('merge-base', tip, head)
  const tree = git('merge-tree', '--write-tree', tip, head).split('\n')[0] as string
  const commit = git('commit-tree', tree, '-p', tip, '-p', head, '-m', `Merge ${source}`)
  git('update-ref', `refs/heads/${target}`, commit, tip)
  git('rev-list', '--count', commit, `^${tip}`)
}

/** Merges of diverged branches by the platform, compared with the plumbing commands of git in the same repository. */
export async function merges(): Promise<Table[]> {
  const { directory } = createSampleHistory()
  const run = (...args: string[]) =>
    execFileSync('git', ['--git-dir', directory, ...args], { env: environment, encoding: 'utf8' }).trim()
  run('gc', '--quiet')
  const platform = createPlatform(sqlite(':memory:'))
  await platform.ports.git.start()
  await seed(platform, demo)
  const host = platform.as({ system: 'bench' })
  await host.repository.import({ project, path: directory, inPlace: true })
  const alice = platform.as({ user: 'alice' })
  const base = run('rev-parse', 'main~5')
  const author = { name: 'Alice', email: 'alice@example.com' }
  const branchNames = Array.from({ length: rounds + 1 }, (_, at) => ({ ours: `ours-${at}`, git: `git-${at}` }))
  for (const branch of branchNames.flatMap(({ ours, git }) => [ours, git])) {
    const files = [{ path: `${branch}.txt`, content: branch }]
    await host.commits.import({ project, commits: [{ branch, message: branch, author, parents: [base], files }] })
  }
  run('branch', 'plumbing', 'main')
  const refs: number[] = []
  for (const { ours } of branchNames)
    refs.push((await alice.mergeRequests.create({ project, title: ours, sourceBranch: ours })).iid)
  await platform.jobs.drain()
  const merge = (at: number) => alice.mergeRequests.merge({ project, mergeRequest: refs[at] as number })
  await merge(rounds)
  const times = await alternate(['ours', 'git'], rounds, async (name, round) => {
    const start = performance.now()
    if (name === 'ours') await merge(round)
    else mergeWithGit(directory, (branchNames[round] as { git: string }).git, 'plumbing')
    return performance.now() - start
  })
  await platform.close()
  const ratio = pairedRatio(times.ours, times.git)
  const values = [median(times.ours), median(times.git), `${ratio.toFixed(2)} of git`]
  const lines: Line[] = [atMost('merge of diverged branches', values, ratio, 1.3)]
  return [
    {
      title: 'Merges compared with git',
      reference: 'the git commands with the same result',
      columns: ['ours ms', 'git ms', 'ratio'],
      lines,
      notes: [
        'A sample of 1,200 commits and 400 files; medians of rounds with one merge each into a branch that has moved.',
        'The commands read both tips and the merge base, merge, write the commit, move the branch and count the new commits. The platform also records the merge, the push and the summary of the repository.',
      ],
    },
  ]
}
