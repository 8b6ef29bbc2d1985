import { measureRun, removeOthers, writeMeasurement } from '../reports/measurement.ts'
import { writeReports } from '../reports/pages.ts'
import { durability } from './cases/durability.ts'
import { fixture } from './cases/fixture.ts'
import { fixtures } from './cases/fixtures.ts'
import { gitOverHttp } from './cases/git-http.ts'
import { growth } from './cases/growth.ts'
import { webhooks } from './cases/hooks.ts'
import { http } from './cases/http.ts'
import { inProcess } from './cases/in-process.ts'
import { linearity } from './cases/linearity.ts'
import { pagedLists } from './cases/lists.ts'
import { longTexts } from './cases/long-texts.ts'
import { notificationMail } from './cases/mail.ts'
import { markdown } from './cases/markdown.ts'
import { merges } from './cases/merge.ts'
import { postgresLoad } from './cases/postgres.ts'
import { containerRegistry } from './cases/registry.ts'
import { repositories } from './cases/repository.ts'
import { startUp } from './cases/start.ts'
import { statements } from './cases/statements.ts'
import { statistics } from './cases/statistics.ts'
import { formatTable, type Table } from './table.ts'
import { progress } from './temporary-files.ts'

/** Every benchmark, by its name for `pnpm bench <name>`. */
const cases: Readonly<Record<string, () => Promise<Table[]>>> = {
  http,
  statements,
  'in-process': inProcess,
  fixture,
  fixtures,
  start: startUp,
  durability,
  postgres: postgresLoad,
  lists: pagedLists,
  'long-texts': longTexts,
  growth,
  registry: containerRegistry,
  statistics,
  repository: repositories,
  'git-http': gitOverHttp,
  merge: merges,
  hooks: webhooks,
  mail: notificationMail,
  linearity,
  markdown,
}

const words = process.argv.slice(2).filter((word) => word !== '--')
const writes = words.includes('--write')
const requested = words.filter((word) => word !== '--write')
const unknown = requested.filter((name) => !Object.hasOwn(cases, name))
if (unknown.length) {
  progress(`Unknown benchmarks: ${unknown.join(', ')}. Available: ${Object.keys(cases).join(', ')}.`)
  process.exit(2)
}

const start = performance.now()
const tables: Table[] = []
for (const [name, run] of Object.entries(cases)) {
  if (requested.length && !requested.includes(name)) continue
  progress(`${name} …`)
  try {
    const measurement = await measureRun(run)
    tables.push(...measurement.result)
    for (const table of measurement.result) process.stdout.write(`${formatTable(table)}\n`)
    progress(`${name}: ${measurement.seconds} s`)
    if (writes) writeMeasurement(`bench/${name}`, measurement)
  } catch (error) {
    // The other benchmarks run anyway: a complete run takes many minutes.
    process.exitCode = 1
    progress(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`)
  }
}
if (writes) {
  removeOthers('bench', Object.keys(cases))
  writeReports()
}

const withTarget = tables.flatMap(({ lines }) => lines).filter(({ target }) => target !== undefined)
const met = withTarget.filter((line) => line.met).length
process.stdout.write(
  `${met} of ${withTarget.length} targets met in ${Math.round((performance.now() - start) / 1_000)} s\n`,
)
