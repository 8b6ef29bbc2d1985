import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildGitEnvironment } from '../../packages/core/src/ports/git-binary/environment.ts'

/** Runs the git binary, the reference for the results of our own implementation. */
export const runGit = (directory: string, commandArguments: readonly string[], input?: string | Buffer): Buffer =>
  execFileSync('git', [`--git-dir=${directory}`, '-c', 'core.quotePath=false', ...commandArguments], {
    input: input ?? '',
    maxBuffer: 1024 ** 3,
    env: buildGitEnvironment({}, ['file']),
    stdio: ['pipe', 'pipe', 'pipe'],
  })

export const runGitText = (directory: string, ...commandArguments: readonly string[]): string =>
  runGit(directory, commandArguments).toString().trimEnd()

export const runGitLines = (directory: string, ...commandArguments: readonly string[]): string[] =>
  runGitText(directory, ...commandArguments)
    .split('\n')
    .filter(Boolean)

/** The contents of blobs, read by one process. */
export const readBlobs = (directory: string, ids: readonly string[]): Buffer[] => {
  const output = runGit(directory, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''))
  let end = 0
  return ids.map(() => {
    const start = output.indexOf(10, end) + 1
    const size = Number(output.toString('latin1', end, start).split(' ')[2])
    end = start + size + 1
    return output.subarray(start, start + size)
  })
}

export const createTemporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'forgelet-test-'))

const quoteOctal = (path: string | Buffer) => {
  let text = ''
  for (const byte of Buffer.from(path)) text += `\\${byte.toString(8).padStart(3, '0')}`
  return `"${text}"`
}

const identities: readonly (string | Buffer)[] = [
  'Ada Lovelace <ada@example.com>',
  'Ada King <ada@example.com>',
  'ada <ADA@example.com>',
  'Zoë Åström <zoe@example.com>',
  '日本 太郎 <taro@example.jp>',
  'no-mail <>',
  Buffer.from('Jos\xe9 <jose@example.com>', 'latin1'),
]

const offsets = ['+0000', '+0300', '-0930', '+0545', '-0000']

/** Linear congruential generator: pseudo-random numbers, the same in every run. */
const createNumberGenerator = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

/** File names that break tools which treat them as text, options or patterns. */
export const unusualNames: readonly (string | Buffer)[] = [
  'with space.txt',
  'double"quote',
  "single'quote",
  'back\\slash',
  'line\nfeed',
  'tab\there',
  '-rf',
  '--output=x',
  ':(glob)**',
  '*',
  '[a]',
  'żółć/日本語.txt',
  'emoji-😀',
  'diff --git a b',
  '$(touch hacked)',
  Buffer.from('latin-\xe9-\xff', 'latin1'),
  Buffer.from('folder-\xfe/inside', 'latin1'),
]

export interface SampleHistory {
  readonly folder: string
  readonly directory: string
}

/**
 * A bare repository with more than 1,200 commits including merges, renames, submodules, symbolic links, binary, empty
 * and large files, unusual file names, file names and identities that are not UTF-8, and branches and tags of every
 * kind. Created in less than a second, with the same content every time.
 */
export const createSampleHistory = (): SampleHistory => {
  const folder = createTemporaryFolder()
  const directory = join(folder, 'sample.git')
  mkdirSync(directory)
  runGit(directory, ['init', '-q', '--bare', '--template=', '-b', 'main', directory])
  const parts: (string | Buffer)[] = []
  const random = createNumberGenerator(42)
  let mark = 0
  let time = 1_300_000_000

  const data = (bytes: string | Buffer) => parts.push(`data ${Buffer.byteLength(bytes)}\n`, bytes, '\n')

  const commit = (branch: string, message: string | Buffer, parents: readonly number[], encoding?: string) => {
    mark += 1
    time += random(5000)
    const identity = identities[random(identities.length)] ?? ''
    const date = ` ${time} ${offsets[random(offsets.length)]}\n`
    if (parents.length === 0) parts.push(`reset refs/heads/${branch}\n\n`)
    parts.push(`commit refs/heads/${branch}\nmark :${mark}\nauthor `, identity, date, 'committer ', identity, date)
    if (encoding) parts.push(`encoding ${encoding}\n`)
    data(message)
    for (const [index, parent] of parents.entries()) parts.push(`${index ? 'merge' : 'from'} :${parent}\n`)
    return mark
  }

  const file = (path: string | Buffer, content: string | Buffer, mode = '100644') => {
    parts.push(`M ${mode} inline ${quoteOctal(path)}\n`)
    data(content)
  }
  const end = () => parts.push('\n')

  const lines = (count: number) => {
    let text = ''
    for (let index = 0; index < count; index += 1) text += `line ${random(1000)} of some text\n`
    return text
  }

  let main = commit('main', 'The beginning\n\nWith a body.\n', [])
  for (const name of unusualNames) file(name, lines(3))
  file('README.md', '# Sample\n')
  file('empty', '')
  file('no-end', 'no line feed at the end')
  file('run.sh', '#!/bin/sh\n', '100755')
  file('link', 'README.md', '120000')
  file('binary.dat', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256)))
  const large = Buffer.alloc(3 * 1024 ** 2)
  for (let index = 0; index < large.length; index += 4) large.writeUInt32LE(random(2 ** 31), index)
  file('large/random.bin', large)
  file('large/one-line.txt', 'x'.repeat(400_000))
  for (let index = 0; index < 40; index += 1) file(`src/module-${index % 8}/file-${index}.ts`, lines(40))
  parts.push(`M 160000 ${'5'.repeat(40)} vendor/library\n`)
  parts.push(`M 160000 ${'6'.repeat(40)} another-library\n`)
  end()
  parts.push(`reset refs/tags/light\nfrom :${main}\n\n`)

  for (let round = 0; round < 40; round += 1) {
    for (let step = 0; step < 20; step += 1) {
      main = commit('main', `Change ${round}.${step}\n`, [main])
      file(`src/module-${random(8)}/file-${random(40)}.ts`, lines(20 + random(40)))
      if (step % 7 === 0) file(`notes/${round}-${step}.txt`, lines(5))
      end()
    }
    let topic = main
    for (let step = 0; step < 10; step += 1) {
      topic = commit(`topic/${round}`, `Topic ${round}.${step}`, [topic])
      file(`topics/${round}/part-${step}`, lines(10))
      end()
    }
    if (round % 3 === 0) {
      const merged = commit('main', `Merge topic ${round}\n`, [main, topic])
      for (let step = 0; step < 10; step += 1) file(`topics/${round}/part-${step}`, lines(10))
      end()
      main = merged
    }
  }

  // Criss-cross merges: two best common ancestors.
  const left = commit('left', 'Left\n', [main])
  file('left', 'left\n')
  end()
  const right = commit('right', 'Right\n', [main])
  file('right', 'right\n')
  end()
  commit('left', 'Left takes right\n', [left, right])
  file('right', 'right\n')
  end()
  commit('right', 'Right takes left\n', [right, left])
  file('left', 'left\n')
  end()

  const before = main
  main = commit('main', Buffer.from('R\xe9nommer\n', 'latin1'), [main], 'ISO-8859-1')
  parts.push(`R ${quoteOctal('notes/0-0.txt')} ${quoteOctal('notes/renamed 1.txt')}\n`)
  parts.push(`R ${quoteOctal('src/module-1')} ${quoteOctal('src/moved "module"')}\n`)
  file('run.sh', '#!/bin/sh\n')
  file('link', 'now a file\n')
  file('README.md', 'no-end', '120000')
  file('binary.dat', Buffer.from([0, 1, 2, 3]))
  parts.push(`M 160000 ${'7'.repeat(40)} vendor/library\n`)
  parts.push(`D ${quoteOctal('empty')}\n`)
  file('line\nfeed', 'changed\n')
  file('diff --git a b', '+diff --git a/x b/x\n@@ -1 +1 @@\n')
  file('new-empty', '')
  parts.push(`D ${quoteOctal('*')}\n`)
  file('brand-new', 'brand new\n')
  end()
  main = commit('main', '', [main])
  end()
  commit('main', '\n\n  Late title \r\n\nrest', [main])
  end()

  const orphan = commit('orphan', 'Another beginning\n', [])
  file('alone', 'alone\n')
  end()
  commit('żółć', 'A branch beyond ASCII\n', [orphan])
  end()
  for (const name of ['deadbeef', 'both', 'dots.and-dashes_1', 'v1-5-gabcdef1']) {
    parts.push(`reset refs/heads/${name}\nfrom :${orphan}\n\n`)
  }
  parts.push(`reset refs/tags/both\nfrom :${before}\n\n`)
  mark += 1
  parts.push(`tag v1.0\nmark :${mark}\nfrom :${before}\ntagger Ada Lovelace <ada@example.com> ${time} +0000\n`)
  data('Version 1\n')
  parts.push(`tag nested\nfrom :${mark}\ntagger A <a@b> 1 +0000\n`)
  data('x\n')
  parts.push('done\n')

  runGit(
    directory,
    ['fast-import', '--quiet', '--done', '--date-format=raw'],
    Buffer.concat(parts.map((part) => Buffer.from(part))),
  )
  const others = ['create refs/tags/of-a-file main:run.sh', 'create refs/keep/hidden orphan', '']
  runGit(directory, ['update-ref', '--stdin'], others.join('\n'))
  return { folder, directory }
}
