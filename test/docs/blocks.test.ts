import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../packages/http/src/cli/program.ts'
import { executedGuides } from './executed-guides.ts'
import { recipes } from './recipes.ts'
import { guides, root, snippets } from './snippets.ts'

/** Checks that tests cover every code block, command, path and link of the documentation. */

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
  /** Languages of code blocks. `text`, `nginx` and `mermaid` are not executed. */
  const languages = /^(ts( check| new)?|diff|js|sh|yaml|text|nginx|mermaid)$/

  test('have a known language and are not indented', () => {
    expect(blocks.length).toBeGreaterThan(40)
    const fences = pages.map((page) => textOf(page).match(/^ *```/gm)?.length ?? 0)
    expect(blocks.length * 2).toBe(fences.reduce((sum, count) => sum + count, 0))
    expect(
      blocks.filter(({ mark, indent }) => !languages.test(mark) || indent !== '').map(({ place }) => place),
    ).toEqual([])
  })

  test('of TypeScript in guides are all run or type checked', () => {
    const typescript = blocks.filter(({ page, mark }) => guides.includes(page) && /^ts(?! new)/.test(mark))
    expect(typescript.map(({ place }) => place).sort()).toEqual(snippets.map(({ place }) => place).sort())
  })

  test('of recipes are all applied', () => {
    const changes = blocks.filter(({ mark }) => mark === 'diff' || mark === 'ts new')
    expect(changes.map(({ place }) => place)).toEqual(recipes.flatMap(({ steps }) => steps.map(({ place }) => place)))
  })

  test('of TypeScript that do not run have a reason', () => {
    const reasons: Readonly<Record<string, string>> = {
      'docs/guide/frameworks.md': 'is a file of a Next.js application',
      'docs/guide/postgres.md': 'needs a PostgreSQL server',
      'docs/guide/testing.md': 'needs the vitest runner',
    }
    const notRun = snippets.filter(({ runs }) => !runs).map(({ place }) => place.replace(/:\d+$/, ''))
    expect(notRun.filter((page) => reasons[page] === undefined)).toEqual([])
  })

  test.each(blocks.filter(({ mark }) => mark === 'js'))(
    '$place is valid JavaScript with existing imports',
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
  const positional = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'))

  /** The reason why no test has to run this command; undefined if one has to. */
  const skipReason = (line: string): string | undefined => {
    const [, installed] = /^npm install (.*)$/.exec(line) ?? []
    if (installed !== undefined) {
      return positional(installed.split(' ')).every((name) => installable.has(name))
        ? 'installs published packages'
        : undefined
    }
    if (/^npx forgelet /.test(line)) return 'checked below'
    const [, script] = /^(?:npx -y pnpm@12|pnpm)(?: run)? ([\w:]+)/.exec(line) ?? []
    if (script === 'install' || script === 'vitest') return 'a pnpm command'
    return script !== undefined && manifest.scripts[script] !== undefined ? 'a workspace script' : undefined
  }

  /** `continuous-integration.test.ts` runs its page within a job. */
  const isExecuted = (page: string) => executedGuides.includes(page) || page === 'docs/guide/continuous-integration.md'

  const lines = blocks
    .filter(({ page, mark }) => mark === 'sh' && !isExecuted(page) && !page.startsWith('examples/'))
    .flatMap(({ place, code }) =>
      code
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((line) => ({ place, line })),
    )
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))

  test.each(lines)('$place: $line', ({ line }) => {
    expect(skipReason(line.replace(/ +#.*$/, '')), 'run it in a test, or add a skip reason').toBeDefined()
  })
})

describe('the command line', () => {
  /** Commands in code blocks and inline code. */
  const documented = pages.flatMap((page) =>
    [
      ...textOf(page).matchAll(
        /(?:^|`|npx )forgelet ([a-z]+(?: (?:add|authorized-keys|certificate|create|disable|enable|import|list|password|rotate|serve|sync)\b)?)([^`\n|>&]*)/gm,
      ),
    ].map(([, name, rest]) => ({
      page,
      name: name as string,
      flags: [...(rest as string).matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag as string),
    })),
  )

  const program = createProgram({})
  const commands = program.commands.flatMap((command) => (command.commands.length ? command.commands : [command]))

  test('has every documented command and flag', () => {
    expect(documented.length).toBeGreaterThan(20)
    for (const { page, name, flags } of documented) {
      const [first, second = first] = name.split(' ')
      const command = commands.find((one) => one.name() === second && [first, 'forgelet'].includes(one.parent?.name()))
      expect(command, `${page}: forgelet ${name}`).toBeDefined()
      const existing = command?.options.map((option) => option.name()) ?? []
      expect([...existing, 'help'], `${page}: forgelet ${name}`).toEqual(expect.arrayContaining(flags))
    }
  })
})

describe('paths', () => {
  test('in CONTRIBUTING exist', () => {
    const named = [
      ...textOf('CONTRIBUTING.md').matchAll(/`((?:packages|test|docs|examples|\.ci|\.github)\/[\w./-]*)`/g),
    ]
    expect(named.length).toBeGreaterThan(8)
    const created = new Set(recipes.flatMap(({ steps }) => steps.filter(({ isNew }) => isNew).map(({ path }) => path)))
    const missing = named.map(([, path]) => path as string).filter((path) => !existsSync(join(root, path)))
    expect(missing.filter((path) => !created.has(path))).toEqual([])
  })

  test('of all pages are linked from docs/index.md', () => {
    const linked = [...textOf('docs/index.md').matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) =>
      join('docs', target as string),
    )
    const all = globSync('docs/{*,guide/*,reference/*}.md', { cwd: root }).filter((page) => page !== 'docs/index.md')
    expect(all.filter((page) => !linked.includes(page))).toEqual([])
    expect(globSync('examples/*/', { cwd: root }).filter((name) => !linked.includes(name.replace(/\/$/, '')))).toEqual(
      [],
    )
  })

  /** The anchor of a heading on GitHub. */
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')

  test.each(pages)('%s links to existing headings', (page) => {
    const targets = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].filter(([, file, anchor]) => {
      const other = file === '' ? page : join(dirname(page), file as string)
      const headings = [...textOf(other).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading as string))
      return !headings.includes(anchor as string)
    })
    expect(targets.map(([link]) => link)).toEqual([])
  })
})
