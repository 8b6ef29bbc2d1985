import {
  choiceOption,
  integerOption,
  listOption,
  type OptionValues,
  optionalChoiceOption,
  pathOption,
  portOption,
  switchOption,
  textOption,
  urlListOption,
  urlOption,
} from './option-types.ts'

const timeoutOption = (name: string, description: string, fallback: number) =>
  integerOption(`--database-${name}-timeout <seconds>`, `${description}; 0 for no limit`, {
    min: 0,
    max: 86_400,
    fallback,
  })

/** Time limits with PostgreSQL, in seconds. */
const databaseTimeouts = {
  databaseConnectTimeout: timeoutOption('connect', 'time limit for a connection to PostgreSQL', 5),
  databaseStatementTimeout: timeoutOption('statement', 'time limit of PostgreSQL for one statement', 30),
  databaseLockTimeout: timeoutOption('lock', 'time limit of PostgreSQL for the wait for one lock', 5),
  databaseIdleTransactionTimeout: timeoutOption(
    'idle-transaction',
    'time limit of PostgreSQL between two statements of a transaction',
    60,
  ),
}

const databaseSchemes = ['postgres', 'postgresql'] as const

/** Where the data is: for every command that opens it. */
export const dataOptions = {
  config: pathOption('--config <file>', 'configuration file (default: "./forgelet.config.json" if it exists)'),
  data: pathOption(
    '--data <file>',
    'SQLite file that contains all data; serve, seed and create commands create it if missing',
    './forgelet.db',
  ),
  database: urlOption(
    '--database <url>',
    'PostgreSQL database to use instead of a file: postgres://…',
    databaseSchemes,
  ),
  databaseReplicas: urlListOption(
    '--database-replicas <urls>',
    'streaming replicas of the PostgreSQL database for reads, separated by commas',
    databaseSchemes,
  ),
  databaseEvents: switchOption(
    '--database-events',
    'deliver domain events to all processes on the PostgreSQL database that use this option',
  ),
  ...databaseTimeouts,
  secretKeyFile: pathOption(
    '--secret-key-file <file>',
    'file with the key that encrypts stored secrets; required for them with PostgreSQL, created beside a SQLite file',
  ),
  repositories: pathOption(
    '--repositories <folder>',
    'folder for repositories with PostgreSQL (default: "./forgelet.repositories"); with a SQLite file they are beside it',
  ),
  files: pathOption(
    '--files <place>',
    'folder or bucket for uploaded files: a path or s3://bucket/prefix (default: beside the SQLite file, or "./forgelet.files")',
  ),
  s3Endpoint: urlOption('--s3-endpoint <url>', 'URL of an S3-compatible store other than Amazon S3', ['http', 'https']),
  s3Region: textOption(
    '--s3-region <name>',
    'region of the bucket (default: AWS_REGION; "us-east-1" with an endpoint)',
  ),
  s3Credentials: pathOption(
    '--s3-credentials <file>',
    'file with the access key of the bucket, as one line: id:secret (default: as the AWS SDK finds it)',
  ),
  s3PathStyle: choiceOption(
    '--s3-path-style <state>',
    'whether the bucket is in the path instead of the host name; auto: only with an endpoint',
    ['auto', 'on', 'off'],
    'auto',
  ),
}

export type DataOptions = OptionValues<typeof dataOptions>

export const jsonOption = { json: switchOption('--json', 'print JSON, for programs') }

/** The levels of pino, from most to least verbose. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** How the platform reaches an external registry. */
const registryAccessOptions = {
  registryUrl: urlOption(
    '--registry-url <url>',
    'external container registry that implements the OCI distribution protocol',
    ['http', 'https'],
  ),
  registryCredentials: pathOption(
    '--registry-credentials <file>',
    'file with the credentials of the registry, as one line: name:password',
  ),
  registryTokens: switchOption(
    '--registry-tokens',
    'issue the tokens of the registry at /jwt/auth, for docker; requires the package jose',
  ),
}

export const serveOptions = {
  port: integerOption('--port <number>', 'port to listen on; 0 selects a free port (also read from PORT)', {
    min: 0,
    max: 65_535,
    fallback: 8080,
  }),
  host: textOption(
    '--host <address>',
    'address to listen on; 0.0.0.0 makes the server reachable from other machines (also read from HOST)',
    '127.0.0.1',
  ),
  ...dataOptions,
  ...registryAccessOptions,
  registryHost: textOption('--registry-host <host>', 'first part of image names (default: the host of --registry-url)'),
  registryNotificationSecret: pathOption(
    '--registry-notification-secret <file>',
    'file with the secret that the registry sends with its notifications, in one line',
  ),
  sshPort: portOption(
    '--ssh-port <port>',
    'port for git over SSH, 0 for a free one; requires the package ssh2 (default: no SSH)',
  ),
  sshHostKey: pathOption(
    '--ssh-host-key <file>',
    'private key of the SSH server, created if the file does not exist (default: beside the data file)',
  ),
  pagesHost: textOption(
    '--pages-host <host>',
    'host below which the sites of projects are, such as pages.example.com (default: sites are previews below /-/pages)',
  ),
  pagesTlsPort: portOption(
    '--pages-tls-port <port>',
    'port for sites over TLS with the certificates of their domains, 0 for a free one (default: none)',
  ),
  smtpUrl: urlOption(
    '--smtp-url <url>',
    'mail server: smtp://host:587, or smtps://host:465; requires the package nodemailer',
    ['smtp', 'smtps'],
  ),
  smtpCredentials: pathOption(
    '--smtp-credentials <file>',
    'file with the credentials at the mail server, as one line: name:password',
  ),
  smtpTls: choiceOption(
    '--smtp-tls <state>',
    'whether a connection of smtp: must switch to TLS before anything is sent',
    ['required', 'optional', 'off'],
    'required',
  ),
  mailFrom: textOption(
    '--mail-from <address>',
    'address of the sender of e-mails; --smtp-url requires it, and --base-url',
  ),
  mailReplyTo: textOption('--mail-reply-to <address>', 'address that answers go to (default: that of the sender)'),
  seed: pathOption('--seed <file>', 'seed data to add if there is no data: a JSON or YAML file, or the word demo'),
  demo: switchOption('--demo', 'add the demo data if there is no data, and print example requests'),
  baseUrl: urlOption(
    '--base-url <url>',
    'URL under which clients reach this server, for links in responses (default: where it listens)',
    ['http', 'https'],
  ),
  createdStatus: choiceOption(
    '--created-status <status>',
    'status of successful creations by the routes of the specification; it is 201 for all others',
    ['200', '201'],
    '200',
  ),
  tier: choiceOption('--tier <tier>', 'free disables the operations of licensed tiers', ['paid', 'free'], 'paid'),
  pipelinesOnPush: switchOption(
    '--pipelines-on-push',
    'create pipelines when commits with a pipeline file are pushed; their jobs wait until results are reported',
  ),
  workers: integerOption(
    '--workers <number>',
    'number of processes that serve; more than one requires a data file or PostgreSQL',
    { min: 1, max: 64, fallback: 1 },
  ),
  trustedProxy: listOption(
    '--trusted-proxy <list>',
    'reverse proxies whose X-Forwarded-For, -Proto and -Host are trusted: IP addresses, CIDR ranges, or loopback',
  ),
  rateLimits: choiceOption('--rate-limits <state>', 'off disables rate limits', ['on', 'off'], 'on'),
  pages: switchOption('--no-pages', 'omit the pages that / and every web_url show in browsers'),
  reference: switchOption('--no-reference', 'omit the API reference that /-/reference shows in browsers'),
  oauth: switchOption('--oauth', 'let applications sign in users (OpenID Connect); requires the package oidc-provider'),
  oidcIssuer: urlOption(
    '--oidc-issuer <url>',
    'OpenID Connect provider at which users sign in; requires the package openid-client, and --base-url',
    ['http', 'https'],
  ),
  oidcClientId: textOption('--oidc-client-id <text>', 'id of this server at the provider; --oidc-issuer requires it'),
  oidcClientSecret: pathOption(
    '--oidc-client-secret <file>',
    'file with the secret of this server at the provider, in one line (default: none, for a public client)',
  ),
  oidcLabel: textOption(
    '--oidc-label <text>',
    'text of the button on the sign-in page (default: the host of the provider)',
  ),
  oidcCreateUsers: switchOption(
    '--oidc-create-users',
    'create accounts for users of the provider whose e-mail address it has verified',
  ),
  metricsToken: textOption(
    '--metrics-token <text>',
    'token that /-/metrics requires; without it, /-/metrics is available to this machine only',
  ),
  drainDelay: integerOption(
    '--drain-delay <seconds>',
    'seconds to continue to serve after SIGTERM while /-/readiness returns 503, for load balancers',
    { min: 0, max: 300, fallback: 0 },
  ),
  exitWithParent: switchOption(
    '--exit-with-parent',
    'end when the process that started the server ends, or when the standard input ends if it is a pipe',
  ),
  control: switchOption(
    '--control',
    'for test suites: enable the control plane under /_forgelet; data is in memory unless it is named, and jobs wait',
  ),
  controlToken: textOption(
    '--control-token <text>',
    'token that the control plane requires; without it, it is available to this machine only',
  ),
  logFormat: choiceOption(
    '--log-format <format>',
    'json: one JSON line per entry; pretty: short lines for people, colored in a terminal',
    ['json', 'pretty'],
    'json',
  ),
  logLevel: choiceOption(
    '--log-level <level>',
    'what is logged; info and below: one JSON line per request',
    logLevels,
    'info',
  ),
}

export type ServeCommandOptions = OptionValues<typeof serveOptions>

/** For `ssh serve`. */
export const sshServeOptions = {
  key: textOption('--key <fingerprint>', 'key of the client: SHA256:… (required)'),
  baseUrl: serveOptions.baseUrl,
  ...dataOptions,
}

/** For `ssh authorized-keys`, which passes the options of `ssh serve` on. */
export const sshKeyOptions = {
  account: textOption('--account <name>', 'account of this machine as which clients of git sign in', 'git'),
  baseUrl: serveOptions.baseUrl,
  ...dataOptions,
}

/** For commands that print a list. */
export const listOptions = {
  limit: integerOption('--limit <number>', 'maximum number of items', { min: 1, max: 1_000_000, fallback: 100 }),
  ...jsonOption,
  ...dataOptions,
}

export const backupOptions = {
  withoutKey: switchOption(
    '--without-key',
    'omit the key of stored secrets; without a copy elsewhere, the secrets cannot be recovered',
  ),
  ...jsonOption,
  ...dataOptions,
}

export const restoreOptions = {
  force: switchOption('--force', 'replace existing data, which is kept beside it under another name'),
  ...dataOptions,
}

export const repositoryImportOptions = {
  inPlace: switchOption('--in-place', 'use the repository where it is instead of a copy; it is never deleted'),
  ...jsonOption,
  ...dataOptions,
}

export const copyOptions = {
  from: textOption('--from <database>', 'data file or URL of a PostgreSQL database to read (required)'),
  to: textOption('--to <database>', 'new data file or URL of an empty PostgreSQL database (required)'),
  ...jsonOption,
}

export const jsonDataOptions = { ...jsonOption, ...dataOptions }

export const doctorOptions = { ...jsonDataOptions, ...registryAccessOptions }

export const seedOptions = {
  ifMissing: switchOption('--if-missing', 'add only what is missing, by name; existing items stay as they are'),
  upsert: switchOption(
    '--upsert',
    'add what is missing, and update existing users, groups, projects, members, labels and milestones',
  ),
  check: switchOption('--check', 'validate the files and add them to an empty forge in memory; opens no data'),
  ...jsonDataOptions,
}

export const exportOptions = {
  force: switchOption('--force', 'replace an existing file and its repositories'),
  ...jsonDataOptions,
}

export const importOptions = {
  output: pathOption('--output <file>', 'file to write, YAML or JSON (default: stdout)'),
  tokens: switchOption('--tokens', 'give each user the token <username>-token, which can be guessed: for tests only'),
  force: switchOption('--force', 'replace an existing file'),
  ...jsonOption,
}

export const initOptions = {
  runner: optionalChoiceOption(
    '--runner <name>',
    'test runner (default: vitest if the package.json of the folder has it, else node)',
    ['node', 'vitest'],
  ),
}

export const openOptions = {
  port: serveOptions.port,
  host: serveOptions.host,
  baseUrl: serveOptions.baseUrl,
  config: dataOptions.config,
  print: switchOption('--print', 'print the URL only'),
  browser: textOption('--browser <command>', 'program that opens the URL (default: that of the operating system)'),
}
