import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'
import { createConfigSchema } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (content: unknown, name = 'forgelet.config.json') => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** The options of a command with this configuration file, without running it. */
const parse = async (config: unknown, argv: readonly string[] = [], environment: Record<string, string> = {}) => {
  const program = createProgram(environment)
  const [name = 'serve', ...rest] = argv
  const command = program.commands.find((candidate) => candidate.name() === name) as Command
  command.action(() => undefined)
  await program.parseAsync([name, '--config', write(config), ...rest], { from: 'user' })
  return { options: command.opts(), sourceOf: (option: string) => command.getOptionValueSource(option) }
}

const messageFor = (config: unknown) =>
  parse(config).then(
    () => 'no error',
    (error: Error) => error.message.replaceAll(`${folder}/`, ''),
  )

const everyKind = {
  $schema: './config.schema.json',
  port: 3000,
  host: '0.0.0.0',
  demo: true,
  pages: false,
  reference: false,
  trustedProxy: ['10.0.0.0/8', 'loopback'],
  createdStatus: '201',
  baseUrl: 'https://forge.example',
}

describe('the configuration file', () => {
  it('sets every kind of option', async () => {
    const { $schema: _, ...expected } = everyKind
    const { options, sourceOf } = await parse(everyKind)
    expect(options).toMatchObject(expected)
    expect([sourceOf('port'), sourceOf('tier')]).toEqual(['config', 'default'])
  })

  it('yields to the command line and the environment', async () => {
    const config = { port: 1, host: '::1', data: 'config.db', demo: true, database: 'postgres://localhost/forge' }
    const argv = ['serve', '--port', '3', '--seed', 'world.yaml', '--data', 'a.db']
    const { options } = await parse(config, argv, { FORGELET_PORT: '2', HOST: '127.0.0.2' })
    expect(options).toMatchObject({ port: 3, host: '127.0.0.2', data: 'a.db', seed: 'world.yaml' })
    expect([options.demo, options.database]).toEqual([undefined, undefined])
    expect((await parse(config, [], { FORGELET_DATA: 'env.db' })).options).toMatchObject({ data: 'env.db' })
  })

  it('states paths relative to itself, except words and URLs', async () => {
    const config = { data: './forge.db', seed: 'demo', files: 's3://bucket/files', secretKeyFile: '/etc/forge.key' }
    expect((await parse(config)).options).toMatchObject({ ...config, data: join(folder, 'forge.db') })
    expect((await parse({ data: ':memory:', seed: 'w.yaml' })).options).toMatchObject({
      data: ':memory:',
      seed: join(folder, 'w.yaml'),
    })
  })

  it('sets the data of other commands, not their other options', async () => {
    const { options } = await parse({ data: '/srv/forge.db', port: 1 }, ['export'])
    expect(options).toMatchObject({ data: '/srv/forge.db' })
    expect(options.port).toBeUndefined()
  })

  it.each([
    ['{\n  "port": 1,\n}', /^forgelet\.config\.json is not valid JSON:\n {2}line 3: /],
    ['[]', /^forgelet\.config\.json must contain a JSON object$/],
    [{ prot: 1 }, /^forgelet\.config\.json: prot is not known\. Did you mean 'port'\?$/],
    [{ config: 'x' }, /: config is not known/],
    [{ toString: 1 }, /: toString is not known/],
    [{ port: '1' }, /^forgelet\.config\.json: port must be an integer$/],
    [{ port: 70_000 }, /: port is invalid\. It must be an integer from 0 to 65535\.$/],
    [{ demo: 'yes' }, /: demo must be true or false$/],
    [{ trustedProxy: 'loopback' }, /: trustedProxy must be a list of texts$/],
    [{ tier: 'gold' }, /: tier is invalid\. Allowed choices are paid, free\.$/],
    [{ data: '' }, /: data is invalid\. It must not be empty\.$/],
    [{ database: 'mysql://me:hushsecret@db' }, /: database: --database <url> must be a URL that starts with postgres:/],
  ])('is rejected with a message: %j', async (config, message) => {
    const text = await messageFor(config)
    expect(text).toMatch(message)
    expect(text).not.toContain('hushsecret')
  })

  it('must exist if it is named', async () => {
    const program = createProgram({ FORGELET_CONFIG: join(folder, 'none.json') })
    await expect(program.parseAsync(['serve'], { from: 'user' })).rejects.toThrow(/^There is no file .*none\.json$/)
  })

  it('has a JSON Schema that accepts and rejects what the command does', async () => {
    const validate = new Ajv({ strict: false }).compile(await createConfigSchema())
    expect(validate(everyKind)).toBe(true)
    const invalid = [{ prot: 1 }, { port: '1' }, { port: 70_000 }, { demo: 'yes' }, { tier: 'gold' }, { config: 'x' }]
    for (const config of invalid) expect(validate(config), JSON.stringify(config)).toBe(false)
  })
})
