import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { variablesOf } from './environment.ts'
import { createProgram } from './program.ts'

const leafCommands = (command: Command): readonly Command[] =>
  command.commands.length ? command.commands.flatMap(leafCommands) : [command]

/** Parses without the action of the command. */
const parse = async (argv: readonly string[], environment: Record<string, string> = {}) => {
  const program = createProgram(environment)
  const [name = 'serve', ...rest] = argv
  const commands = leafCommands(program)
  for (const command of commands) command.action(() => undefined)
  await program.parseAsync([name, ...rest], { from: 'user' })
  const command = commands.find((candidate) => candidate.name() === name) as Command
  return {
    options: command.opts(),
    args: command.args,
    sourceOf: (option: string) => command.getOptionValueSource(option),
  }
}

const serve = async (argv: readonly string[], environment: Record<string, string> = {}) =>
  (await parse(['serve', ...argv], environment)).options

const errorOf = (argv: readonly string[], environment: Record<string, string> = {}) =>
  serve(argv, environment).then(
    () => 'no error',
    (error: Error) => error.message,
  )

describe('the value of an option', () => {
  it('is the default if it is not set', async () => {
    expect(await serve([])).toEqual({
      port: 8080,
      host: '127.0.0.1',
      data: './forgelet.db',
      databaseConnectTimeout: 5,
      databaseStatementTimeout: 30,
      databaseLockTimeout: 5,
      databaseIdleTransactionTimeout: 60,
      createdStatus: '200',
      tier: 'paid',
      workers: 1,
      rateLimits: 'on',
      pages: true,
      reference: true,
      s3PathStyle: 'auto',
      smtpTls: 'required',
      drainDelay: 0,
      logFormat: 'json',
      logLevel: 'info',
    })
  })

  it('is that of the option, then of FORGELET_<OPTION>, then of the common variable', async () => {
    const environment = { FORGELET_PORT: '2', PORT: '3', HOST: '::1' }
    expect((await serve(['--port', '1'], environment)).port).toBe(1)
    expect(await serve([], environment)).toMatchObject({ port: 2, host: '::1' })
    expect((await serve([], { PORT: '3' })).port).toBe(3)
  })

  it('ignores empty variables', async () => {
    const options = await serve([], { FORGELET_PORT: '', PORT: '3', FORGELET_DATA: '' })
    expect(options).toMatchObject({ port: 3, data: './forgelet.db' })
  })

  it('can be set by a variable for every kind of option', async () => {
    const values = {
      FORGELET_BASE_URL: 'https://forge.example',
      FORGELET_CREATED_STATUS: '201',
      FORGELET_DEMO: 'yes',
      FORGELET_NO_REFERENCE: 'true',
      FORGELET_SEED: 'world.yaml',
      FORGELET_DATABASE: 'postgres://localhost/forge',
      FORGELET_TRUSTED_PROXY: '10.0.0.1, loopback,',
    }
    expect(await serve([], values)).toMatchObject({
      baseUrl: 'https://forge.example',
      createdStatus: '201',
      demo: true,
      reference: false,
      seed: 'world.yaml',
      database: 'postgres://localhost/forge',
      trustedProxy: ['10.0.0.1', 'loopback'],
    })
    expect(await serve([], { FORGELET_DEMO: '0', FORGELET_NO_REFERENCE: 'off' })).toMatchObject({
      demo: false,
      reference: true,
    })
  })

  it('has a source; --data has precedence over FORGELET_DATABASE', async () => {
    const environment = { FORGELET_DATABASE: 'postgres://localhost' }
    const { options, sourceOf } = await parse(['serve', '--data', 'a.db'], environment)
    expect(options).toMatchObject({ data: 'a.db' })
    expect(options.database).toBeUndefined()
    expect([sourceOf('data'), sourceOf('port')]).toEqual(['cli', 'default'])
  })

  it('can follow a space or an equals sign, and the last one counts', async () => {
    expect(await serve(['--data', 'a.db', '--tier=free', '--port=1', '--port', '2'])).toMatchObject({
      data: 'a.db',
      tier: 'free',
      port: 2,
    })
  })

  it('does not include arguments after --', async () => {
    expect((await parse(['seed', '--json', '--', '--world.yaml'])).args).toEqual(['--world.yaml'])
  })
})

describe('an invalid value', () => {
  it.each([
    [['--prot', '1'], "error: unknown option '--prot'\n(Did you mean --port?)"],
    [['--baseurl=x'], expect.stringContaining('(Did you mean --base-url?)')],
    [['-x'], "error: unknown option '-x'"],
    [['--port'], "error: option '--port <number>' argument missing"],
    [['--port='], expect.stringContaining('It must be an integer from 0 to 65535.')],
    [['--data', '--demo'], expect.stringContaining('It must be a path; write ./--demo for such a file name.')],
    [['--demo=yes'], "error: unknown option '--demo=yes'"],
    [['--port', '65536'], expect.stringContaining('It must be an integer from 0 to 65535.')],
    [['--port', '8e3'], expect.stringContaining("'8e3' is invalid")],
    [['--created-status', '204'], expect.stringContaining('Allowed choices are 200, 201.')],
    [['--base-url', 'forge.example'], '--base-url <url> must be a URL that starts with http:// or https://'],
    [
      ['--database', 'mysql://me:secret@db'],
      '--database <url> must be a URL that starts with postgres:// or postgresql://',
    ],
  ])('of %j is an error', async (argv, message) => {
    expect(await errorOf(argv)).toEqual(message)
  })

  it.each([
    [
      'FORGELET_DEMO',
      'perhaps',
      "environment variable FORGELET_DEMO value 'perhaps' is invalid. It must be true or false.",
    ],
    ['PORT', 'http', "environment variable PORT value 'http' is invalid. It must be an integer from 0 to 65535."],
    [
      'FORGELET_DATABASE',
      'mysql://me:secret@db',
      'environment variable FORGELET_DATABASE: --database <url> must be a URL that starts with postgres:// or postgresql://',
    ],
  ])('of the variable %s is an error', async (variable, value, message) => {
    expect(await errorOf([], { [variable]: value })).toBe(message)
  })

  it('of a variable is ignored if the option is set', async () => {
    expect((await serve(['--port', '1'], { FORGELET_PORT: 'http' })).port).toBe(1)
  })
})

it('describes every option of every command', () => {
  const commands = leafCommands(createProgram({}))
  expect(commands).toHaveLength(56)
  for (const command of commands) {
    const help = command.helpInformation()
    for (const option of command.options) {
      expect(help).toMatch(new RegExp(`^  ${option.long}[ \\n]`, 'm'))
      expect(option.description).not.toBe('')
    }
  }
})

it('derives variables from options', () => {
  const [serveCommand] = createProgram({}).commands
  const variables = (long: string) => serveCommand?.options.filter((option) => option.long === long).map(variablesOf)
  expect(variables('--base-url')).toEqual([['FORGELET_BASE_URL']])
  expect(variables('--port')).toEqual([['FORGELET_PORT', 'PORT']])
})
