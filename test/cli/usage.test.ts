import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import manifest from '../../packages/http/package.json' with { type: 'json' }
import { folder, forgelet } from './command-line.ts'

describe('help and version', () => {
  it('are printed to stdout with exit code 0', async () => {
    const [help, short, verb, version] = await Promise.all([
      forgelet(['--help']),
      forgelet(['serve', '-h'], { env: { PORT: 'broken' } }),
      forgelet(['help', 'token', 'create']),
      forgelet(['--version']),
    ])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('forgelet serve --demo')
    expect(short).toMatchObject({ code: 0, stderr: '' })
    expect(short.stdout).toContain('--created-status <status>')
    expect(verb.stdout).toContain('Usage: forgelet token create [options]')
    expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  it('use colors only if requested', async () => {
    const [plain, forced] = await Promise.all([
      forgelet(['--help']),
      forgelet(['--help'], { env: { FORCE_COLOR: '1' } }),
    ])
    expect(plain.stdout).not.toContain('\u001b[')
    expect(forced.stdout).toContain('\u001b[1mCommands:\u001b[')
    expect(stripVTControlCharacters(forced.stdout)).toBe(plain.stdout)
  })
})

describe('an invalid command line', () => {
  it.each([
    [[], 'Usage: forgelet [options] [command]', 'forgelet serve --demo'],
    [['sreve'], "forgelet: unknown command 'sreve'", 'Did you mean serve?'],
    [['--port', '1'], "forgelet: unknown option '--port'", 'Run forgelet --help for its options.'],
    [['token'], 'Usage: forgelet token [options] [command]', 'create [options]'],
    [['serve', '--prot', '1'], "forgelet: unknown option '--prot'", 'Did you mean --port?'],
    [['serve', '--prot', '1'], "forgelet: unknown option '--prot'", 'Run forgelet serve --help for its options.'],
    [['serve', 'here'], "forgelet: too many arguments for 'serve'. Expected 0", 'Run forgelet serve --help'],
    [['seed'], "forgelet: missing required argument 'file'", 'Run forgelet seed --help'],
    [['token', 'create'], 'forgelet: --user is missing', 'Run forgelet token create --help'],
    [['serve', '--data', 'a', '--database', 'postgres://x/y'], 'forgelet: Use either --data or', 'Run forgelet serve'],
    [['serve', '--demo', '--seed', 'other.json'], 'forgelet: Use either --demo or --seed', 'Run forgelet serve'],
  ])('%j ends with 2 and a hint', async (args, message, hint) => {
    const { code, stdout, stderr } = await forgelet(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.startsWith(message), stderr).toBe(true)
    expect(stderr).toContain(hint)
    expect(existsSync(join(folder, 'forgelet.db'))).toBe(false)
  })
})

it('rejects an old Node before other modules are loaded', async () => {
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
  // The check of the version is the only module that the command imports statically.
  expect(lines.filter((line) => line.startsWith('loaded ')).map((line) => line.slice(7))).toEqual([
    'cli.js',
    expect.stringMatching(/^chunk-\w+\.js$/),
  ])
  expect(lines.at(-1)).toMatch(/^forgelet: Forgelet needs Node\.js 22\.18 or newer; this is 20\.20\.2\./)
  expect(code).toBe(1)
})

describe('mistakes that no option reports', () => {
  it('a misspelled variable is a warning, and a variable of another program is none', async () => {
    const run = (env: Record<string, string>) => forgelet(['user', 'list', '--data', ':memory:'], { env })
    expect((await run({ FORGELET_PROT: '1' })).stderr).toContain(
      'warning: the variable FORGELET_PROT has no effect: did you mean FORGELET_PORT?\n',
    )
    expect((await run({ FORGELET_PORT: '1', FORGELET_KITCHEN_SINK: '1' })).stderr).not.toContain('warning')
  })

  it('a port that is taken leaves no data file', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const workers of ['1', '2']) {
      const args = ['serve', '--port', String(port), '--data', 'taken.db', '--workers', workers]
      expect(await forgelet(args)).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} on`) })
    }
    server.close()
    expect(readdirSync(folder).filter((name) => name.startsWith('taken'))).toEqual([])
  })

  it('-V prints the version', async () => {
    expect((await forgelet(['-V'])).stdout).toBe((await forgelet(['-v'])).stdout)
  })
})
