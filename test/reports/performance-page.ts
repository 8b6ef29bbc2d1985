import { formatRows, formatTable, formatValue, type Line, type Table } from '../bench/table.ts'
import { describeEnvironments } from './environment.ts'
import { type Measurement, readMeasurements } from './measurement.ts'

interface Target {
  readonly name: string
  readonly line: Line
  readonly table: Table
  readonly measurement: Measurement<readonly Table[]>
}

const targetsOf = (measurements: ReadonlyMap<string, Measurement<readonly Table[]>>): Target[] =>
  [...measurements].flatMap(([name, measurement]) =>
    measurement.result.flatMap((table) =>
      table.lines.filter(({ target }) => target !== undefined).map((line) => ({ name, line, table, measurement })),
    ),
  )

const withUnit = ({ value, unit }: Line) =>
  value === undefined ? '' : `${formatValue(value)}${unit === undefined ? '' : ` ${unit}`}`

const targetRow = ({ name, line, table }: Target) => [
  `[${name}](#${name}): ${line.what}`,
  withUnit(line),
  `${line.target?.replace('<=', '≤').replace('>=', '≥')}${line.unit === undefined ? '' : ` ${line.unit}`}`,
  line.reference ?? table.reference ?? 'none: an absolute limit',
  line.met ? 'met' : '**missed**',
]

const describeLoad = ({ otherLoad, environment }: Measurement<unknown>) =>
  otherLoad === null
    ? 'The load of other processes is unknown.'
    : `Other processes used ${otherLoad.toFixed(1)} of ${environment.cores} cores.`

/** Above this share of the cores, a missed target may be the fault of other processes. */
const busyShare = 0.1

const explain = ({ line, measurement: { otherLoad, environment } }: Target) => {
  if (line.reason !== undefined) return line.reason
  const isBusy = otherLoad !== null && otherLoad > busyShare * environment.cores
  return isBusy ? 'The machine was busy; measure again on an idle one.' : 'The cause is not known.'
}

const missedItem = (target: Target) => {
  const { name, line, measurement } = target
  return `- **${name}: ${line.what}** is ${withUnit(line)}, target ${line.target}. ${explain(target)} ${describeLoad(measurement)}`
}

const caseSection = (name: string, measurement: Measurement<readonly Table[]>) =>
  [
    `## ${name}`,
    '',
    `\`pnpm bench ${name}\`, ${measurement.date}, ${measurement.seconds} s. ${describeLoad(measurement)}`,
    '',
    ...measurement.result.map((table) => formatTable(table, 3)),
  ].join('\n')

/** docs/performance.md */
export const performancePage = (): string => {
  const measurements = readMeasurements<readonly Table[]>('bench')
  const targets = targetsOf(measurements)
  const missed = targets.filter(({ line }) => !line.met)
  return `# Performance

\`pnpm bench --write\` generates this page from \`docs/measurements/bench\`; \`pnpm bench <name> --write\` measures one
benchmark again. Each benchmark compares the product with a reference in the same run, alternately, and reports medians.
Ratios carry over to other machines, times do not.

${describeEnvironments([...measurements.values()])}

![${'Requests per second and latency, compared with a hand-written server'}](charts/throughput.svg)

![${'Time of calls with 1, 10 and 100 times the data'}](charts/growth.svg)

## Targets

${targets.length - missed.length} of ${targets.length} targets are met.

${formatRows(['Value', 'Measured', 'Target', 'Compared with', 'Result'], targets.map(targetRow))}

## Missed targets

${missed.length ? missed.map(missedItem).join('\n') : 'None.'}

## Checked by tests

Targets that do not depend on the speed of a machine are tests:

- CommonMark: 652 of 652 examples; with the GFM extensions all but the 10 that contradict them
  ([test](../packages/core/src/ports/markdown/commonmark.test.ts)).
- Repository calls return the same text as git ([test](../test/git/repository-against-git.test.ts)).
- Lists are read from indexes in their order ([tests](../test/plans)).
- Patterns of tag names have the syntax of RE2 ([test](../packages/core/src/kernel/name-pattern.test.ts)).

## Not measured

- Mock servers (json-server, Prism) as references: they store nothing or rewrite a file for each change.
- Markdown next to other renderers, and patterns next to the native RE2, which has no build for this version of Node.
- How long the start of a git process blocks the event loop of a large process.

${[...measurements].map(([name, measurement]) => caseSection(name, measurement)).join('\n')}`
}
