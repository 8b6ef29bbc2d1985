import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureRun, removeOthers, writeMeasurement } from '../reports/measurement.ts'
import { writeReports } from '../reports/pages.ts'
import { minimumScore, scoreOf } from '../reports/reliability-page.ts'
import { copyWorkspace } from '../support/workspace-copy.ts'
import { areas } from './areas.ts'
import { type StrykerReport, summarize } from './stryker-report.ts'

/** Mutation testing with Stryker. Runs in a copy of the workspace, because Stryker changes the files in place. */

/** The time limit of one area, in minutes. */
const timeLimit = 30

const requested = process.argv.slice(2).filter((word) => word !== '--')
const unknown = requested.filter((name) => !Object.hasOwn(areas, name))
if (unknown.length) {
  console.error(`Unknown areas: ${unknown.join(', ')}. Available: ${Object.keys(areas).join(', ')}.`)
  process.exit(2)
}

const runStryker = async (copy: string, area: string, mutate: readonly string[]): Promise<StrykerReport> => {
  const report = join(copy, 'mutation.json')
  await rm(report, { force: true })
  const options = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    inPlace: true,
    mutate,
    concurrency: availableParallelism(),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    // Other processes may slow down a run; a mutant that never ends still counts as detected.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    warnings: { slow: false },
  }
  await writeFile(join(copy, 'stryker.json'), JSON.stringify(options))
  const child = spawn(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'stryker.json'], {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, FORGELET_MUTATION_AREA: area },
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), timeLimit * 60_000)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  if (code !== 0) throw new Error(`Stryker ended with code ${code}, or was stopped after ${timeLimit} minutes`)
  return JSON.parse(await readFile(report, 'utf8')) as StrykerReport
}

const copy = await mkdtemp(join(tmpdir(), 'forgelet-mutation-'))
try {
  await copyWorkspace(copy)
  for (const [area, { mutate }] of Object.entries(areas)) {
    if (requested.length && !requested.includes(area)) continue
    console.log(`${area} …`)
    try {
      const measurement = await measureRun(async () => summarize(await runStryker(copy, area, mutate)))
      const score = scoreOf(measurement.result)
      console.log(`${area}: ${score.toFixed(1)} % in ${measurement.seconds} s`)
      for (const mutant of measurement.result.undetected) console.log(`  ${mutant}`)
      if (score < minimumScore) process.exitCode = 1
      writeMeasurement(`mutation/${area}`, measurement)
      removeOthers('mutation', Object.keys(areas))
      writeReports()
    } catch (error) {
      // The other areas run anyway.
      process.exitCode = 1
      console.error(`${area}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
} finally {
  await rm(copy, { recursive: true, force: true })
}
