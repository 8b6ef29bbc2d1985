import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { commands } from '../../packages/http/src/cli/commands.ts'
import { flagName } from '../../packages/http/src/cli/flag.ts'
import { executedGuides } from './executed-guides.ts'
import { guides, root, snippets } from './snippets.ts'

/** Nothing in the documentation goes unchecked because nobody knew of it. */

const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const pages = [...guides, ...globSync('{docs/decisions,examples,examples/*}/*.md', { cwd: root }).sort()]

const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^(?<indent> *)```(?<mark>.+)\n(?<code>[\s\S]*?)^ *```$/gm)].map(
    ({ index, groups = {} }) => ({
      page,
      place: `${page}:${textOf(page).slice(0, index).split('\n').length}`,
      indent: groups.indent as string,
      mark: groups.mark as string,
      code: groups.code as string,
    }),
  ),
)

describe('blocks', () => {
  /** What is made of each kind: `text`, `nginx` and `mermaid` are pictures and files of other programs. */
  const known = /^(ts( check)?|js|sh|yaml|text|nginx|mermaid)$/

  test('there are many, each of a known kind and at the beginning of its line', () => {
    expect(blocks.length).toBeGreaterThan(40)
    const fences = pages.map((page) => textOf(page).match(/^ *```/gm)?.length ?? 0)
    expect(blocks.length * 2).toBe(fences.reduce((sum, count) => sum + count, 0))
    expect(blocks.filter(({ mark, indent }) => !known.test(mark) || indent !== '').map(({ place }) => place)).toEqual(
      [],
    )
  })

  test('every TypeScript block of the guides is one that is run or checked', () => {
    const written = blocks.filter(({ page, mark }) => guides.includes(page) && mark.startsWith('ts'))
    expect(written.map(({ place }) => place).sort()).toEqual(snippets.map(({ place }) => place).sort())
  })

  test('what is only checked and not run is so for a reason that stands here', () => {
    const reasons: Readonly<Record<string, string>> = {
      'docs/guide/postgres.md': 'needs a server of PostgreSQL',
      'docs/guide/testing.md': 'needs the runner of vitest',
    }
    const unrun = snippets.filter(({ runs }) => !runs).map(({ place }) => place.replace(/:\d+$/, ''))
    expect(unrun.filter((page) => reasons[page] === undefined)).toEqual([])
  })

  test.each(blocks.filter(({ mark }) => mark === 'js'))(
    '$place is JavaScript, and imports what there is',
    async ({ code }) => {
      const options = { reportDiagnostics: true, compilerOptions: { allowJs: true, target: ts.ScriptTarget.ESNext } }
      expect(ts.transpileModule(code, { ...options, fileName: 'block.js' }).diagnostics).toEqual([])
      for (const [, names = '', from = ''] of code.matchAll(/^import \{ (.+) \} from '(.+)'$/gm)) {
        expect(Object.keys(await import(from))).toEqual(expect.arrayContaining(names.split(', ')))
      }
    },
  )
})

describe('commands', () => {
  const manifest = JSON.parse(textOf('package.json'))
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => JSON.parse(textOf(file)))
  const installable = new Set(
    packages.flatMap(({ name, peerDependencies = {} }) => [name, ...Object.keys(peerDependencies)]),
  )
  const paths = (words: readonly string[]) => words.filter((word) => !word.startsWith('-'))

  /** Why a command need not be run here; undefined for one that has to be. */
  const excuse = (line: string): string | undefined => {
    const [, installed] = /^npm install (.*)$/.exec(line) ?? []
    if (installed !== undefined) {
      return paths(installed.split(' ')).every((name) => installable.has(name)) ? 'packages of ours' : undefined
    }
    if (/^npx forgelet /.test(line)) return 'looked at below'
    const [, script] = /^(?:npx -y pnpm@12|pnpm)(?: run)? ([\w:]+)/.exec(line) ?? []
    if (script === 'install' || script === 'vitest') return 'of pnpm'
    return script !== undefined && manifest.scripts[script] !== undefined ? 'a script of the workspace' : undefined
  }

  const lines = blocks
    .filter(({ page, mark }) => mark === 'sh' && !executedGuides.includes(page) && !page.startsWith('examples/'))
    .flatMap(({ place, code }) =>
      code
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((line) => ({ place, line })),
    )
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))

  test.each(lines)('$place: $line', ({ line }) => {
    expect(excuse(line.replace(/ +#.*$/, '')), 'run it in a test, or say why that is not needed').toBeDefined()
  })
})

describe('the command line', () => {
  /** As it stands in blocks and, behind a backtick, in sentences. */
  const typed = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?:^|`|npx )forgelet ([a-z]+(?: (?:create|import)\b)?)([^`\n|>&]*)/gm)].map(
      ([, name, rest]) => ({
        page,
        name: name as string,
        flags: [...(rest as string).matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag as string),
      }),
    ),
  )

  test('every command that is written down exists, with its options', async () => {
    expect(typed.length).toBeGreaterThan(20)
    for (const { page, name, flags } of typed) {
      const entry = commands.find((one) => one.name === name)
      expect(entry, `${page}: forgelet ${name}`).toBeDefined()
      const known = Object.keys((await entry?.load())?.flags ?? {}).map(flagName)
      expect([...known, 'help'], `${page}: forgelet ${name}`).toEqual(expect.arrayContaining(flags))
    }
  })
})

describe('paths', () => {
  test('every path that CONTRIBUTING names is there', () => {
    const named = [
      ...textOf('CONTRIBUTING.md').matchAll(/`((?:packages|test|docs|examples|\.ci|\.github)\/[\w./-]*)`/g),
    ]
    expect(named.length).toBeGreaterThan(8)
    expect(named.map(([, path]) => path as string).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('docs/index.md leads to every page', () => {
    const led = [...textOf('docs/index.md').matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) =>
      join('docs', target as string),
    )
    const all = globSync('docs/{*,guide/*,reference/*}.md', { cwd: root }).filter((page) => page !== 'docs/index.md')
    expect(all.filter((page) => !led.includes(page))).toEqual([])
    expect(globSync('examples/*/', { cwd: root }).filter((name) => !led.includes(name.replace(/\/$/, '')))).toEqual([])
  })

  /** As GitHub makes the anchor of a heading. */
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')

  test.each(pages)('%s links to headings that there are', (page) => {
    const targets = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].filter(([, file, anchor]) => {
      const other = file === '' ? page : join(dirname(page), file as string)
      const headings = [...textOf(other).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading as string))
      return !headings.includes(anchor as string)
    })
    expect(targets.map(([link]) => link)).toEqual([])
  })
})
