import { address, choice, list, port, text, toggle, whole } from './flag.ts'

/** Where the data lies: for every command that opens it. */
export const dataFlags = {
  data: text({ says: 'the SQLite file that holds everything; made when it is not there' }, '<file>', './forgelet.db'),
  database: address(
    { says: 'a PostgreSQL database to use instead of a file' },
    ['postgres', 'postgresql'],
    '<postgres://…>',
  ),
  secretKeyFile: text(
    { says: 'a file with the key of stored secrets; needed for them on PostgreSQL, made beside a SQLite file' },
    '<file>',
    undefined,
  ),
  repositories: text(
    {
      says: 'the folder of repositories with PostgreSQL; default: ./forgelet.repositories. Those of a file lie beside it',
    },
    '<folder>',
    undefined,
  ),
}

export const jsonFlag = { json: toggle({ says: 'print JSON, for programs' }) }

/** Names of pino, from the most to the least. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const serveFlags = {
  port: port({ says: 'where to listen; 0 takes any free port', environment: ['PORT'] }, 8080),
  host: text(
    { says: 'the address to listen on; 0.0.0.0 opens it to other machines', environment: ['HOST'] },
    '<address>',
    '127.0.0.1',
  ),
  ...dataFlags,
  registryUrl: address(
    { says: 'a container registry to use instead of rows: one that speaks the OCI distribution protocol' },
    ['http', 'https'],
    '<url>',
  ),
  registryHost: text(
    { says: 'what names of images begin with; default: the host of --registry-url' },
    '<host>',
    undefined,
  ),
  registryCredentials: text(
    { says: 'a file with what the registry asks for, as one line: name:password' },
    '<file>',
    undefined,
  ),
  seed: text(
    { says: 'a world to plant when there is no data yet: JSON, YAML, or the word demo' },
    '<file|demo>',
    undefined,
  ),
  demo: toggle({ says: 'plant the demo world when there is no data yet, and show how to play with it' }),
  baseUrl: address(
    { says: 'where clients find this server, for links in replies; default: where it listens' },
    ['http', 'https'],
    '<url>',
  ),
  createdStatus: choice({ says: 'what successful creations answer' }, ['200', '201'], '200'),
  tier: choice({ says: 'free refuses the operations of licensed tiers' }, ['paid', 'free'], 'paid'),
  workers: whole(
    { says: 'how many processes serve; more than one needs a data file or PostgreSQL' },
    { from: 1, to: 64 },
    1,
  ),
  trustedProxy: list(
    { says: 'reverse proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses, networks, or loopback' },
    '<list>',
  ),
  rateLimits: choice({ says: 'off: nobody is told to wait' }, ['on', 'off'], 'on'),
  noReference: toggle({ says: 'leaves out the reference of the API that / shows to browsers' }),
  metricsToken: text(
    { says: 'opens /-/metrics to whoever shows it; without it they open to this machine only' },
    '<text>',
    undefined,
  ),
  drainDelay: whole(
    { says: 'seconds to serve on after SIGTERM while /-/readiness says 503, for load balancers' },
    { from: 0, to: 300 },
    0,
    '<seconds>',
  ),
  control: toggle({
    says: 'for test suites: the control plane under /_forgelet; data is kept in memory unless it is named, and jobs wait',
  }),
  controlToken: text(
    { says: 'opens the control plane to whoever shows it; without it it opens to this machine only' },
    '<text>',
    undefined,
  ),
  logLevel: choice(
    { says: `what is logged, one JSON line a request from info on: ${logLevels.join(', ')}` },
    logLevels,
    'info',
    '<level>',
  ),
}

export const tokenFlags = {
  user: text({ says: 'whose token it is: a username' }, '<name>', undefined),
  name: text({ says: 'what the token is called' }, '<text>', 'command line'),
  scopes: list({ says: 'what it opens, separated by commas; default: api' }, '<list>'),
  expiresAt: text(
    { says: 'the first day on which it no longer works: 2030-12-31; default: never' },
    '<date>',
    undefined,
  ),
  ...jsonFlag,
  ...dataFlags,
}

export const userFlags = {
  username: text({ says: 'what the user signs in and is mentioned as' }, '<name>', undefined),
  name: text({ says: 'the full name; default: the username' }, '<text>', undefined),
  email: text({ says: 'default: an address that reaches nobody' }, '<address>', undefined),
  admin: toggle({ says: 'may do everything' }),
  external: toggle({ says: 'sees internal projects only as a member' }),
  ...jsonFlag,
  ...dataFlags,
}
