import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.ts'
import { serveFlags, tokenFlags } from './options.ts'
import { UsageError } from './usage-error.ts'

const serve = (argv: string[], environment: Record<string, string> = {}) =>
  readArguments(serveFlags, argv, environment).values

const refusal = (argv: string[], environment: Record<string, string> = {}) => {
  try {
    serve(argv, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }
  throw new Error('nothing was refused')
}

describe('where a value comes from', () => {
  it('is the default when nobody says anything', () => {
    expect(serve([])).toEqual({
      port: 8080,
      host: '127.0.0.1',
      data: './forgelet.db',
      database: undefined,
      secretKeyFile: undefined,
      repositories: undefined,
      registryUrl: undefined,
      registryHost: undefined,
      registryCredentials: undefined,
      seed: undefined,
      demo: false,
      baseUrl: undefined,
      createdStatus: '200',
      tier: 'paid',
      workers: 1,
      trustedProxy: undefined,
      rateLimits: 'on',
      noReference: false,
      metricsToken: undefined,
      drainDelay: 0,
      control: false,
      controlToken: undefined,
      logLevel: 'info',
    })
  })

  it('is the option, then FORGELET_<FLAG>, then the common name, then the default', () => {
    const both = { FORGELET_PORT: '2', PORT: '3', HOST: '::1' }
    expect(serve(['--port', '1'], both).port).toBe(1)
    expect(serve([], both)).toMatchObject({ port: 2, host: '::1' })
    expect(serve([], { PORT: '3' }).port).toBe(3)
  })

  it('is not an empty variable', () => {
    expect(serve([], { FORGELET_PORT: '', PORT: '3', FORGELET_DATA: '' })).toMatchObject({
      port: 3,
      data: './forgelet.db',
    })
  })

  it('can be a variable for every option, in the spelling of the option', () => {
    const values = serve([], {
      FORGELET_BASE_URL: 'https://forge.example',
      FORGELET_CREATED_STATUS: '201',
      FORGELET_LOG_LEVEL: 'silent',
      FORGELET_TIER: 'free',
      FORGELET_DEMO: 'yes',
      FORGELET_SEED: 'world.yaml',
      FORGELET_DATABASE: 'postgres://localhost/forge',
    })
    expect(values).toMatchObject({
      baseUrl: 'https://forge.example',
      createdStatus: '201',
      logLevel: 'silent',
      tier: 'free',
      demo: true,
      seed: 'world.yaml',
      database: 'postgres://localhost/forge',
    })
    expect(serve([], { FORGELET_DEMO: '0' }).demo).toBe(false)
  })

  it('is the last of several', () => {
    expect(serve(['--port=1', '--port', '2']).port).toBe(2)
  })
})

describe('how it is written', () => {
  it('has the value behind a space or an equals sign', () => {
    expect(serve(['--data', 'a.db', '--tier=free'])).toMatchObject({ data: 'a.db', tier: 'free' })
    expect(serve(['--data=--odd']).data).toBe('--odd')
  })

  it('keeps what stands beside the options, also behind --', () => {
    expect(readArguments(serveFlags, ['a', '--port', '1', '--', '--b'], {}).positionals).toEqual(['a', '--b'])
  })

  it('tells options on the command line from those of the environment', () => {
    const { written } = readArguments(serveFlags, ['--data', 'a.db'], { FORGELET_DATABASE: 'postgres://localhost' })
    expect([...written]).toEqual(['data'])
  })

  it('splits lists at commas', () => {
    const { values } = readArguments(tokenFlags, ['--scopes', 'api, read_user,'], {})
    expect(values.scopes).toEqual(['api', 'read_user'])
  })

  it.each([['--help'], ['-h'], ['--port', '1', '--help']])(
    'asks for help with %s, whatever the environment holds',
    (...argv) => {
      expect(readArguments(serveFlags, argv, { PORT: 'broken' }).help).toBe(true)
    },
  )
})

describe('what is refused', () => {
  it.each([
    [['--prot', '1'], 'Unknown option --prot: do you mean --port?'],
    [['--baseurl=x'], 'Unknown option --baseurl: do you mean --base-url?'],
    [['--quite-another'], 'Unknown option --quite-another'],
    [['-x'], 'Unknown option -x'],
    [['--port'], '--port needs a value: --port <number>'],
    [['--port='], '--port needs a value: --port <number>'],
    [['--data', '--demo'], '--data needs a value; one that starts with a dash is written --data=--demo'],
    [['--demo=yes'], '--demo takes no value'],
    [['--port', '65536'], "--port must be a number from 0 to 65535, not '65536'"],
    [['--port', '-1'], "--port must be a number from 0 to 65535, not '-1'"],
    [['--port', '8e3'], "--port must be a number from 0 to 65535, not '8e3'"],
    [['--created-status', '204'], "--created-status must be one of 200, 201, not '204'"],
    [['--log-level', 'loud'], "--log-level must be one of trace, debug, info, warn, error, fatal, silent, not 'loud'"],
    [['--base-url', 'forge.example'], '--base-url must be an address that starts with http:// or https://'],
    [
      ['--database', 'mysql://me:secret@db'],
      '--database must be an address that starts with postgres:// or postgresql://',
    ],
  ])('%j', (argv, message) => {
    expect(refusal(argv)).toBe(message)
  })

  it('is named after the variable that holds it', () => {
    expect(refusal([], { FORGELET_DEMO: 'perhaps' })).toBe("FORGELET_DEMO must be true or false, not 'perhaps'")
    expect(refusal([], { PORT: 'http' })).toBe("PORT must be a number from 0 to 65535, not 'http'")
  })

  it('is no variable that an option overrides', () => {
    expect(serve(['--port', '1'], { FORGELET_PORT: 'broken' }).port).toBe(1)
  })
})
