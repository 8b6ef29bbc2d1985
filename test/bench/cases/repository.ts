import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { buildGitEnvironment } from '../../../packages/core/src/ports/git-binary/environment.ts'
import { createSampleHistory } from '../../support/sample-history.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'

const rounds = 25
const project = 'acme/web'
const environment = buildGitEnvironment({}, ['file'])

/** Runs a git command, then a second one if given. Returns the number of bytes printed. */
const runGit = async (directory: string, args: readonly string[], next?: readonly string[]): Promise<number> => {
  const child = spawn('git', [`--git-dir=${directory}`, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await once(child, 'close')
  return next === undefined ? size : size + (await runGit(directory, next))
}

const drain = async (stream: Readable): Promise<number> => {
  let size = 0
  for await (const chunk of stream) size += (chunk as Buffer).length
  return size
}

/** The average time of one call, over `count` calls. */
const milliseconds = async (work: () => Promise<unknown>, count = 1): Promise<number> => {
  const start = performance.now()
  for (let at = 0; at < count; at++) await work()
  return (performance.now() - start) / count
}

/** A call of the platform and the git command with the same result. */
interface Comparison {
  readonly what: string
  readonly call: () => Promise<unknown>
  readonly git: () => Promise<unknown>
  /** The minimum factor by which the call is faster than git. */
  readonly faster?: number
  /** The maximum ratio to git's time. */
  readonly share?: number
  /** Calls per round, for calls shorter than the clock resolution. */
  readonly calls?: number
  /** The number of rounds, for slow calls. */
  readonly rounds?: number
}

/** Each repository call of the library compared with the `git` command with the same result. Cold calls have new arguments each time. */
export async function repositories(): Promise<Table[]> {
  const { directory } = createSampleHistory()
  // The same state as after repository maintenance: packed, with a commit graph.
  execFileSync('git', ['--git-dir', directory, 'gc', '--quiet'], { env: environment })
  const readGit = (...args: string[]) =>
    execFileSync('git', ['--git-dir', directory, ...args], { env: environment })
      .toString()
      .trim()
  const platform = createPlatform(sqlite(':memory:'))
  await platform.ports.git.start()
  await seed(platform, demo)
  const host = platform.as({ system: 'bench' })
  await host.repository.import({ project, path: directory, inPlace: true })
  const { repository } = host

  const main = readGit('rev-list', '--max-count=120', '--first-parent', 'main').split('\n')
  const blobs = readGit('ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'main')
    .split('\n')
    .filter((row) => row.startsWith('blob '))
    .map((row) => row.slice(5))
  // A commit that no previous call used.
  let next = 0
  const newCommit = () => main[(next++ % (main.length - 2)) + 1] as string
  const [tip = ''] = main
  const at = (list: readonly string[], index: number) => list[index % list.length] as string
  let turn = 0

  const comparisons: Comparison[] = [
    {
      what: 'blob',
      call: () => repository.getBlob({ project, sha: at(blobs, turn++) }),
      git: () => runGit(directory, ['cat-file', 'blob', at(blobs, turn++)]),
      faster: 20,
      calls: 20,
    },
    {
      what: 'root tree',
      call: () => repository.listTree({ project, perPage: 100 }),
      git: () => runGit(directory, ['ls-tree', '-z', 'main']),
      faster: 10,
      calls: 20,
    },
    {
      what: 'recursive tree',
      call: () => repository.listTree({ project, recursive: true, perPage: 100 }),
      git: () => runGit(directory, ['ls-tree', '-r', '-t', '-z', 'main']),
      share: 0.5,
      calls: 20,
    },
    {
      what: 'compare, cold',
      call: () => repository.compare({ project, from: newCommit(), to: tip }),
      git: () => {
        const range = `${newCommit()}..${tip}`
        return runGit(directory, ['log', '--format=raw', range], ['diff', '--find-renames', range.replace('..', '...')])
      },
      share: 1.15,
    },
    {
      what: 'compare, repeated',
      call: () => repository.compare({ project, from: 'light', to: 'main' }),
      git: () => runGit(directory, ['log', '--format=raw', 'light..main'], ['diff', '--find-renames', 'light...main']),
      faster: 20,
      calls: 20,
    },
    {
      what: 'merge base, cold',
      call: () => repository.getMergeBase({ project, refs: [newCommit(), 'topic/38'] }),
      git: () => runGit(directory, ['merge-base', newCommit(), 'topic/38'], ['cat-file', 'commit', 'light']),
      share: 1.15,
    },
    {
      what: 'merge base, repeated',
      call: () => repository.getMergeBase({ project, refs: ['main', 'topic/3'] }),
      git: () => runGit(directory, ['merge-base', 'main', 'topic/3']),
      faster: 20,
      calls: 20,
    },
    {
      what: 'archive tar',
      call: async () => drain((await repository.getArchive({ project, format: 'tar' })).content),
      git: () => runGit(directory, ['archive', '--format=tar', '--prefix=web/', 'main']),
      share: 1.15,
    },
    {
      what: 'archive tar.gz',
      call: async () => drain((await repository.getArchive({ project })).content),
      git: () => runGit(directory, ['archive', '--format=tar.gz', '--prefix=web/', 'main']),
      share: 1.15,
      rounds: 7,
    },
    {
      what: 'contributors, repeated',
      call: () => repository.listContributors({ project }),
      git: () =>
        runGit(directory, ['log', '--no-merges', '-n', '2000', '--numstat', '--find-renames', '--format=%ae%n%an']),
      share: 0.1,
      calls: 20,
      rounds: 7,
    },
  ]

  const lines: Line[] = []
  for (const { what, call, git, faster, share, calls = 1, rounds: roundCount = rounds } of comparisons) {
    await call()
    const times = await alternate(['ours', 'git'], roundCount, (name) =>
      name === 'ours' ? milliseconds(call, calls) : milliseconds(git),
    )
    const values = [median(times.ours), median(times.git)]
    if (faster !== undefined) {
      const factor = pairedRatio(times.git, times.ours)
      lines.push(atLeast(what, [...values, `${factor.toFixed(1)} x faster`], factor, faster))
    } else {
      const ratio = pairedRatio(times.ours, times.git)
      lines.push(atMost(what, [...values, `${ratio.toFixed(2)} of git`], ratio, share ?? 1))
    }
  }
  await platform.close()
  return [
    {
      title: 'Repository calls compared with git',
      reference: 'the git command with the same result',
      columns: ['ours ms', 'git ms', 'ratio'],
      lines,
      notes: [
        'A sample of 1,200 commits and 400 files; medians of rounds with one run of each. Cold calls have new arguments in each round.',
        `git ${readGit('version').split(' ')[2]}, started from a process as large as the platform's.`,
      ],
    },
  ]
}
