import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import manifest from '../../packages/http/package.json' with { type: 'json' }
import { folder, forgelet } from './command-line.ts'

describe('help and version', () => {
  it('go to stdout, and are a success', async () => {
    const [help, short, verb, version] = await Promise.all([
      forgelet(['--help']),
      forgelet(['serve', '-h'], { env: { PORT: 'broken' } }),
      forgelet(['help', 'token', 'create']),
      forgelet(['--version']),
    ])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('forgelet serve --demo')
    expect(short).toMatchObject({ code: 0, stderr: '' })
    expect(short.stdout).toContain('--created-status 200|201')
    expect(verb.stdout).toMatch(/^Issue a personal access token\./)
    expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  it('are coloured only where colour was asked for', async () => {
    const [plain, forced] = await Promise.all([
      forgelet(['--help']),
      forgelet(['--help'], { env: { FORCE_COLOR: '1' } }),
    ])
    expect(plain.stdout).not.toContain('\u001b[')
    expect(forced.stdout).toContain('\u001b[1mCommands\u001b[')
    expect(stripVTControlCharacters(forced.stdout)).toBe(plain.stdout)
  })
})

describe('a command line that is wrong', () => {
  it.each([
    [[], 'Name a command', 'forgelet <command> [options]'],
    [['sreve'], 'Unknown command sreve: do you mean serve?', 'Run forgelet --help for what there is.'],
    [['--port', '1'], 'Name a command before --port', 'Run forgelet --help'],
    [['token'], 'forgelet token lacks a word: token create', 'Run forgelet --help'],
    [
      ['serve', '--prot', '1'],
      'Unknown option --prot: do you mean --port?',
      'Run forgelet serve --help for its options.',
    ],
    [['serve', 'here'], 'Unexpected argument here', 'Run forgelet serve --help'],
    [['seed'], '<file> is missing', 'Run forgelet seed --help'],
    [['token', 'create'], '--user is missing', 'Run forgelet token create --help'],
    [
      ['serve', '--data', 'a', '--database', 'postgres://x/y'],
      'Give one of --data and --database',
      'Run forgelet serve',
    ],
    [['serve', '--demo', '--seed', 'other.json'], 'Give one of --demo and --seed', 'Run forgelet serve'],
  ])('%j ends with 2 and a hint', async (args, message, hint) => {
    const { code, stdout, stderr } = await forgelet(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.split('\n')[0]).toBe(`forgelet: ${message}`)
    expect(stderr).toContain(hint)
    expect(existsSync(join(folder, 'forgelet.db'))).toBe(false)
  })
})

it('says that Node is too old before anything else is loaded', async () => {
  const preload = join(folder, 'older-node.mjs')
  writeFileSync(
    preload,
    `import { registerHooks } from 'node:module'
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
     registerHooks({ load(url, context, next) { process.stderr.write('loaded ' + url.split('/').pop() + '\\n'); return next(url, context) } })`,
  )
  const { code, stdout, stderr } = await forgelet(['serve'], { node: ['--import', preload] })
  expect(stdout).toBe('')
  const lines = stderr.trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('loaded ')).map((line) => line.slice(7))).toEqual([
    'cli.ts',
    'node-version.ts',
  ])
  expect(lines.at(-1)).toMatch(/^forgelet: Forgelet needs Node\.js 22\.18 or newer; this is 20\.20\.2\./)
  expect(code).toBe(1)
})
