import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, plant } from '@forgelet/core/seed'
import { gitEnvironment } from '../../../packages/core/src/ports/git-binary/environment.ts'
import { sampleHistory } from '../../../packages/core/src/ports/git-binary/sample-history.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'

const rounds = 25
const project = 'acme/web'
const environment = gitEnvironment({}, ['file'])

/** The plain command, started from a small process as a shell would; answers how many bytes it printed. */
const command = async (directory: string, words: readonly string[], after?: readonly string[]): Promise<number> => {
  const child = spawn('git', [`--git-dir=${directory}`, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await once(child, 'close')
  return after === undefined ? size : size + (await command(directory, after))
}

const drained = async (stream: Readable): Promise<number> => {
  let size = 0
  for await (const chunk of stream) size += (chunk as Buffer).length
  return size
}

/** Of one call, over `count` of them. */
const milliseconds = async (work: () => Promise<unknown>, count = 1): Promise<number> => {
  const start = performance.now()
  for (let at = 0; at < count; at++) await work()
  return (performance.now() - start) / count
}

/** A call of the platform beside the command that gives the same answer. */
interface Comparison {
  readonly what: string
  readonly call: () => Promise<unknown>
  readonly git: () => Promise<unknown>
  /** So many times faster than git, at least. */
  readonly faster?: number
  /** So much of git's time, at most. */
  readonly share?: number
  /** Calls a round, where one is over sooner than a clock can tell. */
  readonly calls?: number
  /** Rounds, where a call takes long. */
  readonly rounds?: number
}

/**
 * Each repository call of the library against the plain `git` command that gives the same answer. Cold calls are made on a
 * platform of their own that has seen the repository but not this question; the others ask what was asked before.
 */
export async function repositories(): Promise<Table[]> {
  const { directory } = sampleHistory()
  // As the upkeep of any repository leaves it: packed, with its commit graph written.
  execFileSync('git', ['--git-dir', directory, 'gc', '--quiet'], { env: environment })
  const text = (...words: string[]) =>
    execFileSync('git', ['--git-dir', directory, ...words], { env: environment })
      .toString()
      .trim()
  const platform = createPlatform(sqlite(':memory:'))
  await platform.ports.git.start()
  await plant(platform, demo)
  const host = platform.as({ system: 'bench' })
  await host.repository.import({ project, path: directory, inPlace: true })
  const { repository } = host

  const main = text('rev-list', '--max-count=120', '--first-parent', 'main').split('\n')
  const blobs = text('ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'main')
    .split('\n')
    .filter((row) => row.startsWith('blob '))
    .map((row) => row.slice(5))
  // A question that nobody has asked before, each time.
  let next = 0
  const unasked = () => main[(next++ % (main.length - 2)) + 1] as string
  const [tip = ''] = main
  const at = (list: readonly string[], place: number) => list[place % list.length] as string
  let turn = 0

  const comparisons: Comparison[] = [
    {
      what: 'blob',
      call: () => repository.blob({ project, sha: at(blobs, turn++) }),
      git: () => command(directory, ['cat-file', 'blob', at(blobs, turn++)]),
      faster: 20,
      calls: 20,
    },
    {
      what: 'root tree',
      call: () => repository.tree({ project, perPage: 100 }),
      git: () => command(directory, ['ls-tree', '-z', 'main']),
      faster: 10,
      calls: 20,
    },
    {
      what: 'recursive tree',
      call: () => repository.tree({ project, recursive: true, perPage: 100 }),
      git: () => command(directory, ['ls-tree', '-r', '-t', '-z', 'main']),
      share: 0.5,
      calls: 20,
    },
    {
      what: 'compare, cold',
      call: () => repository.compare({ project, from: unasked(), to: tip }),
      git: () => {
        const range = `${unasked()}..${tip}`
        return command(
          directory,
          ['log', '--format=raw', range],
          ['diff', '--find-renames', range.replace('..', '...')],
        )
      },
      share: 1.15,
    },
    {
      what: 'compare, asked before',
      call: () => repository.compare({ project, from: 'light', to: 'main' }),
      git: () => command(directory, ['log', '--format=raw', 'light..main'], ['diff', '--find-renames', 'light...main']),
      faster: 20,
      calls: 20,
    },
    {
      what: 'merge base, cold',
      call: () => repository.mergeBase({ project, refs: [unasked(), 'topic/38'] }),
      git: () => command(directory, ['merge-base', unasked(), 'topic/38'], ['cat-file', 'commit', 'light']),
      share: 1.15,
    },
    {
      what: 'merge base, asked before',
      call: () => repository.mergeBase({ project, refs: ['main', 'topic/3'] }),
      git: () => command(directory, ['merge-base', 'main', 'topic/3']),
      faster: 20,
      calls: 20,
    },
    {
      what: 'archive tar',
      call: async () => drained((await repository.archive({ project, format: 'tar' })).content),
      git: () => command(directory, ['archive', '--format=tar', '--prefix=web/', 'main']),
      share: 1.15,
    },
    {
      what: 'archive tar.gz',
      call: async () => drained((await repository.archive({ project })).content),
      git: () => command(directory, ['archive', '--format=tar.gz', '--prefix=web/', 'main']),
      share: 1.15,
      rounds: 7,
    },
    {
      what: 'contributors, asked before',
      call: () => repository.contributors({ project }),
      git: () =>
        command(directory, ['log', '--no-merges', '-n', '2000', '--numstat', '--find-renames', '--format=%ae%n%an']),
      share: 0.1,
      calls: 20,
      rounds: 7,
    },
  ]

  const lines: Line[] = []
  for (const { what, call, git, faster, share, calls = 1, rounds: own = rounds } of comparisons) {
    await call()
    const found = await alternate(['ours', 'git'], own, (name) =>
      name === 'ours' ? milliseconds(call, calls) : milliseconds(git),
    )
    const figures = [median(found.ours), median(found.git)]
    if (faster !== undefined) {
      const times = pairedRatio(found.git, found.ours)
      lines.push(atLeast(what, [...figures, `${times.toFixed(1)} x faster`], times, faster))
    } else {
      const part = pairedRatio(found.ours, found.git)
      lines.push(atMost(what, [...figures, `${part.toFixed(2)} of git`], part, share ?? 1))
    }
  }
  await platform.close()
  return [
    {
      title: 'Repository calls against git',
      columns: ['ours ms', 'git ms', 'ratio'],
      lines,
      notes: [
        'A sample of 1,200 commits and 400 files; medians of rounds in which both ran once. Cold questions are new in each round.',
        `git ${text('version').split(' ')[2]}, started from a process that is as large as the platform's.`,
      ],
    },
  ]
}
