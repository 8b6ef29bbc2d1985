/** The capacity model of `docs/reference/capacity.md`: calculated from the measurements and assumptions below. */

/** Milliseconds of processor time for one request, of the server process and of PostgreSQL. */
interface Cost {
  readonly server: number
  readonly database: number
}

/**
 * Measured with `forgelet serve` on PostgreSQL 18: processor time (user and system), which other load changes less than the
 * duration. 1,200 and 600 reads of four clients, 180 writes of one.
 */
const measured = {
  /** A page of 20 labels. */
  shortRead: { server: 2.1, database: 1.1 } satisfies Cost,
  /** A page of 20 issues. */
  longRead: { server: 10.8, database: 3.6 } satisfies Cost,
  /** The creation of an issue. */
  write: { server: 17, database: 5.8 } satisfies Cost,
  /** Bytes of a row of `event` with its indexes, of 50,000 rows. */
  eventBytes: 500,
}

const assumed = {
  requestsPerUserAtPeak: 0.01,
  writeShare: 0.1,
  /** Long ones among the reads. */
  longReadShare: 0.5,
  eventsPerUser: 1_000,
  /** Bytes of a user with namespace, tokens, memberships and indexes. */
  userBytes: 4_000,
  /** Bytes of other rows for each event: the issue, note or push that it is about. */
  otherBytesPerEvent: 1_500,
  repositoriesPerUser: 0.5,
  repositoryBytes: 20e6,
  uploadBytesPerUser: 5e6,
  /** The share of a processor core that is used at peak. */
  utilisation: 0.6,
  /** Connections of the pool of one server process: the default of `pg`. */
  connectionsPerProcess: 10,
  /** The share of reads that replicas may answer. */
  replicaShare: 0.8,
  /** Cores of one database machine. */
  databaseCores: 64,
  /** Processes of one server machine, one for each core. */
  processesPerMachine: 8,
}

const sizes = [1_000, 10_000, 100_000, 1_000_000]

/** The mean cost of a read. */
const read: Cost = {
  server: measured.shortRead.server * (1 - assumed.longReadShare) + measured.longRead.server * assumed.longReadShare,
  database:
    measured.shortRead.database * (1 - assumed.longReadShare) + measured.longRead.database * assumed.longReadShare,
}

const calculate = (users: number) => {
  const requests = users * assumed.requestsPerUserAtPeak
  const writes = requests * assumed.writeShare
  const reads = requests - writes
  const coresFor = (milliseconds: number) => milliseconds / 1_000 / assumed.utilisation
  const processes = Math.max(2, Math.ceil(coresFor(reads * read.server + writes * measured.write.server)))
  const primary = coresFor(reads * read.database + writes * measured.write.database)
  const moved = coresFor(reads * assumed.replicaShare * read.database)
  // A replica replays all writes, which costs about a quarter of executing them.
  const replay = coresFor(writes * measured.write.database) / 4
  const needsReplicas = primary > assumed.databaseCores
  const replicas = needsReplicas ? Math.ceil(moved / (assumed.databaseCores - replay)) : 0
  const events = users * assumed.eventsPerUser
  return {
    users,
    requests,
    writes,
    processes,
    machines: Math.max(2, Math.ceil(processes / assumed.processesPerMachine)),
    primaryCores: Math.ceil(needsReplicas ? primary - moved : primary),
    replicas,
    connections: processes * assumed.connectionsPerProcess,
    events,
    databaseBytes: events * (measured.eventBytes + assumed.otherBytesPerEvent) + users * assumed.userBytes,
    repositoryBytes: users * assumed.repositoriesPerUser * assumed.repositoryBytes,
    uploadBytes: users * assumed.uploadBytesPerUser,
  }
}

const count = (value: number) => value.toLocaleString('en')

const bytes = (value: number): string => {
  const units = ['kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log10(value) / 3)))
  return `${Number((value / 1_000 ** power).toPrecision(2))} ${units[power - 1]}`
}

const rows = (): readonly string[] => {
  const models = sizes.map(calculate)
  const row = (name: string, cell: (model: (typeof models)[number]) => string) =>
    `| ${name} | ${models.map(cell).join(' | ')} |`
  return [
    row('Users', ({ users }) => count(users)),
    `| --- |${models.map(() => ' ---: |').join('')}`,
    row('Requests per second at peak', ({ requests }) => count(requests)),
    row('of these, writes', ({ writes }) => count(writes)),
    row('Server processes', ({ processes }) => count(processes)),
    row('Server machines', ({ machines }) => count(machines)),
    row('Database cores, primary', ({ primaryCores }) => count(primaryCores)),
    row('Read replicas', ({ replicas }) => count(replicas)),
    row('Database connections', ({ connections }) => count(connections)),
    row('Events', ({ events }) => count(events)),
    row('Database size', ({ databaseBytes }) => bytes(databaseBytes)),
    row('Repositories', ({ repositoryBytes }) => bytes(repositoryBytes)),
    row('Uploaded files', ({ uploadBytes }) => bytes(uploadBytes)),
  ]
}

const percent = (share: number) => `${share * 100} %`

export const capacityPage = (): string => `# Capacity

Generated by \`pnpm docs:reference\` from \`test/reference/capacity.ts\`: a calculation, not a measurement of an installation
of this size. [Several machines](../guide/several-machines.md) describes the parts.

${rows().join('\n')}

## Measurements

Processor time (user and system) on a busy machine with two cores, Node.js 24, PostgreSQL 18 and the demo data, after a warm-up:

| Request | Server process | PostgreSQL |
| --- | ---: | ---: |
| page of 20 labels | ${measured.shortRead.server} ms | ${measured.shortRead.database} ms |
| page of 20 issues | ${measured.longRead.server} ms | ${measured.longRead.database} ms |
| creation of an issue | ${measured.write.server} ms | ${measured.write.database} ms |

An event occupies ${measured.eventBytes} bytes with its indexes.

## Assumptions

| Assumption | Value |
| --- | ---: |
| requests per user and second at peak | ${assumed.requestsPerUserAtPeak} |
| writes among the requests, spread over many projects | ${percent(assumed.writeShare)} |
| pages of issues among the reads, instead of pages of labels | ${percent(assumed.longReadShare)} |
| events per user | ${count(assumed.eventsPerUser)} |
| database size of a user, without events | ${bytes(assumed.userBytes)} |
| other rows for each event: issues, notes, pushes | ${bytes(assumed.otherBytesPerEvent)} |
| repositories per user | ${assumed.repositoriesPerUser} |
| size of a repository | ${bytes(assumed.repositoryBytes)} |
| uploaded files per user | ${bytes(assumed.uploadBytesPerUser)} |
| use of each core at peak | ${percent(assumed.utilisation)} |
| processes of a server machine, one for each core | ${assumed.processesPerMachine} |
| cores of a database machine | ${assumed.databaseCores} |
| reads that replicas can answer | ${percent(assumed.replicaShare)} |
| connections of one process | ${assumed.connectionsPerProcess} |

Replicas are used when the primary would need more than ${assumed.databaseCores} cores; each also replays all writes, at a quarter
of their cost. Pages of repositories, archives and comparisons run git on the server machines and are not included.
`
