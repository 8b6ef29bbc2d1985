import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fakeForge } from '@forgelet/fixtures'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { fullSeed } from '../full-seed.ts'
import { folder, serving } from './command-line.ts'
import { run } from './in-process.ts'

const execute = promisify(execFile)
/** Strict: an unknown keyword or format is an error. */
const compile = (schema: object) => addFormats.default(new Ajv({ strict: true })).compile(schema)

const root = join(import.meta.dirname, '../..')

describe('init', () => {
  it('writes a seed and a test that passes', async () => {
    const target = join(folder, 'project/test')
    const { code, stdout, stderr } = await run(['init', target, '--runner', 'node'])
    const files = ['forge-seed.json', 'forge-seed.schema.json', 'forge.test.mjs']
    expect({ code, stdout }).toEqual({ code: 0, stdout: files.map((name) => `${join(target, name)}\n`).join('') })
    expect(stderr).toMatch(/^Next: npm install --save-dev @forgelet\/fixtures, then node --test \S+forge\.test\.mjs\n$/)
    symlinkSync(join(root, 'node_modules'), join(folder, 'project/node_modules'))
    const arguments_ = ['--conditions=source', '--test', join(target, 'forge.test.mjs')]
    const result = await execute(process.execPath, arguments_, { cwd: target, env: { PATH: process.env.PATH } })
    expect(result.stdout).toMatch(/pass 1\n/)
    const schema = JSON.parse(readFileSync(join(target, 'forge-seed.schema.json'), 'utf8'))
    const seed = JSON.parse(readFileSync(join(target, 'forge-seed.json'), 'utf8'))
    expect(compile(schema)(seed)).toBe(true)
  })

  it('does not replace files', async () => {
    const target = join(folder, 'occupied')
    mkdirSync(target)
    writeFileSync(join(target, 'forge.test.mjs'), 'mine')
    const { code, stderr } = await run(['init', target, '--runner', 'vitest'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('forge.test.mjs exists already') })
    expect(existsSync(join(target, 'forge-seed.json'))).toBe(false)
    expect(readFileSync(join(target, 'forge.test.mjs'), 'utf8')).toBe('mine')
  })
})

describe('schema', () => {
  it('prints a JSON Schema of seed data', async () => {
    const { stdout } = await run(['schema', 'seed'])
    const validate = compile(JSON.parse(stdout))
    expect(validate({ $schema: './x.json', ...fullSeed })).toBe(true)
    for (const seed of [{ user: [] }, { users: [{}] }, { projects: [{ path: 'a/b', visibility: 'secret' }] }]) {
      expect(validate(seed), JSON.stringify(seed)).toBe(false)
    }
  })

  it('rejects other names', async () => {
    expect(await run(['schema', 'toString'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no schema 'toString': use seed or config"),
    })
  })
})

describe('completion', () => {
  /** The candidates for the last word of a command line. */
  const complete = async (...words: string[]) => {
    const { stdout } = await run(['completion', 'bash'])
    const typed = words.map((word) => `'${word}'`).join(' ')
    const script = `${stdout}\nCOMP_WORDS=(forgelet ${typed}) COMP_CWORD=${words.length}\n_forgelet\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    const result = await execute('bash', ['-c', script])
    return result.stdout.trim().split('\n')
  }

  it('completes commands, subcommands, options and choices in bash', async () => {
    expect(await complete('se')).toEqual(['serve', 'seed', 'settings'])
    expect(await complete('token', '')).toEqual(['list', 'create', 'rotate', 'revoke', '--help'])
    expect(await complete('user', 'p')).toEqual(['promote', 'password'])
    expect(await complete('user', 'q')).toEqual([''])
    expect(await complete('token', 'create', '--ex')).toEqual(['--expires-at'])
    expect(await complete('serve', '--tier', '')).toEqual(['paid', 'free'])
    expect(await complete('serve', '--data', 'a.db', '--log-f')).toEqual(['--log-format'])
  })

  it('prints scripts for zsh and fish', async () => {
    expect((await run(['completion', 'zsh'])).stdout).toMatch(
      /^#compdef forgelet\n[\s\S]+complete .*-F _forgelet forgelet\n$/,
    )
    const { stdout } = await run(['completion', 'fish'])
    expect(stdout).toContain("complete -c forgelet -n '__fish_use_subcommand' -f -a seed -d ")
    expect(stdout).toMatch(/-n '__fish_seen_subcommand_from serve' -l tier -x -a 'paid free' -d /)
    expect(await run(['completion', 'csh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use bash, zsh, fish'),
    })
  })
})

describe('open', () => {
  it('opens a page of a running server', async () => {
    await using forge = await fakeForge({ port: 0 })
    const browser = join(folder, 'browser')
    const opened = join(folder, 'opened')
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`, {
      mode: 0o755,
    })
    const { code, stdout } = await run(['open', 'acme/web', '--base-url', forge.url, '--browser', browser])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${forge.url}/acme/web\n` })
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`${forge.url}/acme/web`)
    const { port } = new URL(forge.url)
    expect((await run(['open', '--print', '--port', port])).stdout).toBe(`http://127.0.0.1:${port}/\n`)
  })

  it('says how to continue without a server or browser', async () => {
    await using forge = await fakeForge({ port: 0 })
    expect(await run(['open', '--port', '1'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^forgelet: No server answers at http:\/\/127\.0\.0\.1:1: start one with forgelet serve/,
      ),
    })
    expect(await run(['open', '--base-url', forge.url, '--browser', join(folder, 'missing')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be started: open http'),
    })
  })
})

it('serve reads forgelet.config.json in its folder and prints readable log lines', async () => {
  const config = { data: './configured.db', demo: true, logFormat: 'pretty' }
  writeFileSync(join(folder, 'forgelet.config.json'), JSON.stringify(config))
  const { url, output, stop } = await serving([])
  expect(output.stdout).toContain(`data in ${join(folder, 'configured.db')}, seeded with the demo data\n`)
  expect((await fetch(`${url}/api/v4/version`, { headers: { 'PRIVATE-TOKEN': 'alice-token' } })).status).toBe(200)
  const { stderr } = await stop()
  expect(stderr).toMatch(/^\d\d:\d\d:\d\d\.\d{3} GET \/api\/v4\/version 200 \d+ ms userId=\d+ /m)
})
