import { formatRows } from '../bench/table.ts'
import type { Figures } from '../figures.ts'
import { describeEnvironments } from './environment.ts'
import { type Measurement, readMeasurements } from './measurement.ts'

/** The result of a suite on one database. */
export interface SuiteResult {
  readonly database: string
  readonly seconds: number
  readonly passed: number
  readonly skipped: number
  /** Names of failed tests. */
  readonly failures: readonly string[]
  readonly figures: Figures
}

/** The results of a suite on all its databases. */
export interface TrustResult {
  readonly title: string
  readonly seed: number
  /** Whether the counts are those of the normal tests. */
  readonly isShort: boolean
  readonly runs: readonly SuiteResult[]
}

/** The mutants of one area of the code, by outcome. */
export interface MutationResult {
  readonly files: readonly string[]
  /** Mutants that a test detected, including those that do not end. */
  readonly detected: number
  readonly survived: number
  /** Mutants in code that no test runs. */
  readonly uncovered: number
  /** Mutants that fail before a test runs, for example while a module is loaded; they do not count. */
  readonly invalid: number
  /** `file:line mutator: replacement` of each mutant that was not detected. */
  readonly undetected: readonly string[]
}

/** The share of valid mutants that the tests of an area have to detect, in percent. */
export const minimumScore = 85

export const scoreOf = ({ detected, survived, uncovered }: MutationResult): number =>
  (100 * detected) / (detected + survived + uncovered)

const databaseNames: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const formatFigures = (figures: Figures) =>
  Object.entries(figures)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')

const suiteRows = ([name, { date, result }]: readonly [string, Measurement<TrustResult>]) =>
  result.runs.map(({ database, passed, failures, figures, seconds }) => [
    `${result.title} (\`${name}\`)`,
    databaseNames[database] ?? database,
    String(passed),
    String(failures.length),
    formatFigures(figures),
    `${result.seed}${result.isShort ? ', short' : ''}`,
    date,
    String(seconds),
  ])

const trustSection = (suites: ReadonlyMap<string, Measurement<TrustResult>>) => {
  const failures = [...suites.values()].flatMap(({ result }) =>
    result.runs.flatMap((run) => run.failures.map((failure) => `- ${result.title}, ${run.database}: ${failure}`)),
  )
  return `${formatRows(
    ['Suite', 'Database', 'Tests passed', 'Failed', 'Counts', 'Seed', 'Date', 's'],
    [...suites].flatMap(suiteRows),
  )}

${failures.length ? `Failed tests:\n\n${failures.join('\n')}` : 'No test failed.'}`
}

const mutationRow = ([name, { date, seconds, result }]: readonly [string, Measurement<MutationResult>]) => [
  name,
  `${scoreOf(result).toFixed(1)} %`,
  String(result.detected),
  String(result.survived),
  String(result.uncovered),
  String(result.invalid),
  date,
  String(seconds),
]

const mutationSection = (areas: ReadonlyMap<string, Measurement<MutationResult>>) =>
  `${formatRows(
    ['Area', 'Score', 'Detected', 'Survived', 'Not covered', 'Invalid', 'Date', 's'],
    [...areas].map(mutationRow),
  )}`

/** docs/reliability.md */
export const reliabilityPage = (): string => {
  const suites = readMeasurements<TrustResult>('trust')
  const areas = readMeasurements<MutationResult>('mutation')
  return `# Reliability

\`pnpm test:trust\` and \`pnpm test:mutation\` generate this page from \`docs/measurements\`.

## Long test runs

The suites of \`test/trust/suites.ts\` are part of the normal tests with small counts. \`pnpm test:trust\` runs them with
larger counts, in at most 15 minutes on two idle cores; \`pnpm test:trust <suite>\` runs one of them.
\`FORGELET_PROPERTY_SEED=<seed>\` repeats a run. Short runs (\`--short\`) have the counts of the normal tests.

${describeEnvironments([...suites.values(), ...areas.values()])}

${suites.size ? trustSection(suites) : 'Not measured yet.'}

## Mutation testing

\`pnpm test:mutation [area]\` changes the code of an area in many small ways (mutants), one at a time, and runs the tests of
the area. The score is the share of mutants that a test detects; at least ${minimumScore} % are required. Mutants in code
that fails while it is loaded are invalid and do not count. \`test/mutation/areas.ts\` lists the files and tests of each
area, \`docs/measurements/mutation\` the mutants that were not detected. An area ends after 30 minutes at the
latest; a run that does not finish writes nothing.

${areas.size ? mutationSection(areas) : 'Not measured yet.'}
`
}
