import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, readEnvironment } from './environment.ts'
import { startLoadMeter } from './load-meter.ts'

/** A result with the circumstances in which it was measured. */
export interface Measurement<Result> {
  /** The day of the measurement, ISO 8601. */
  readonly date: string
  readonly seconds: number
  /** Cores that processes outside of the measurement used on average; null where the system does not provide it. */
  readonly otherLoad: number | null
  readonly environment: Environment
  readonly result: Result
}

const folder = join(import.meta.dirname, '../../docs/measurements')

/** Runs `work` and records the circumstances. */
export const measureRun = async <Result>(work: () => Promise<Result>): Promise<Measurement<Result>> => {
  const start = performance.now()
  const readOtherLoad = startLoadMeter()
  const result = await work()
  return {
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - start) / 1_000),
    otherLoad: readOtherLoad(),
    environment: readEnvironment(),
    result,
  }
}

/** Numbers keep four significant digits; JSON has no representation for numbers that are not finite. */
const roundNumbers = (_: string, value: unknown) => {
  if (typeof value !== 'number') return value
  return Number.isFinite(value) ? Number(value.toPrecision(Number.isInteger(value) ? 16 : 4)) : String(value)
}

export const writeMeasurement = (name: string, measurement: Measurement<unknown>): void => {
  const path = join(folder, `${name}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(measurement, roundNumbers, 2)}\n`)
}

/** The stored measurement; undefined if none has been written. */
export const readMeasurement = <Result>(name: string): Measurement<Result> | undefined => {
  const path = join(folder, `${name}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Measurement<Result>) : undefined
}

/** All stored measurements of a subfolder by name, in alphabetical order. */
export const readMeasurements = <Result>(group: string): ReadonlyMap<string, Measurement<Result>> => {
  const path = join(folder, group)
  const names = existsSync(path)
    ? readdirSync(path)
        .map((file) => file.replace(/\.json$/, ''))
        .sort()
    : []
  return new Map(names.map((name) => [name, readMeasurement<Result>(`${group}/${name}`) as Measurement<Result>]))
}

/** Removes the measurements of a subfolder that have none of these names. */
export const removeOthers = (group: string, names: readonly string[]): void => {
  for (const name of readMeasurements(group).keys()) {
    if (!names.includes(name)) rmSync(join(folder, group, `${name}.json`))
  }
}
