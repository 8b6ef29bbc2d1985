import type { Variables } from './variables.ts'
import { type Entries, isEntries } from './yaml.ts'

/** One of the jobs that a job with `parallel` becomes. */
export interface JobInstance {
  /** `test 1/3`, or `deploy: [aws, eu]`. */
  readonly name: string
  /** Its row of the matrix. */
  readonly variables: Variables
  /** `CI_NODE_INDEX` and `CI_NODE_TOTAL`. */
  readonly position: Variables
}

/** Instances of a job, and of a matrix: as in GitLab. */
export const maxInstances = 200

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.flat(10) : [value])

/** The rows of a part of a matrix, which were counted before: a small part can have billions of rows. */
const toRows = (part: Entries): readonly Variables[] =>
  Object.entries(part).reduce<readonly Variables[]>(
    (rows, [key, values]) => rows.flatMap((row) => listOf(values).map((value) => ({ ...row, [key]: String(value) }))),
    [{}],
  )

/** The number of rows of a matrix, which can exceed the greatest integer. */
export const countRows = (matrix: readonly unknown[]): number =>
  matrix
    .filter(isEntries)
    .reduce(
      (sum, part) => sum + Object.values(part).reduce<number>((rows, values) => rows * listOf(values).length, 1),
      0,
    )

const positionOf = (at: number, count: number): Variables => ({ CI_NODE_INDEX: `${at + 1}`, CI_NODE_TOTAL: `${count}` })

/** The instances of a job: itself without `parallel`. */
export const expandParallel = (name: string, parallel: unknown): readonly JobInstance[] => {
  if (typeof parallel === 'number')
    return Array.from({ length: parallel }, (_, at) => ({
      name: `${name} ${at + 1}/${parallel}`,
      variables: {},
      position: positionOf(at, parallel),
    }))
  if (!isEntries(parallel)) return [{ name, variables: {}, position: {} }]
  const rows = listOf(parallel.matrix).filter(isEntries).flatMap(toRows)
  return rows.map((row, at) => ({
    name: `${name}: [${Object.values(row).join(', ')}]`,
    variables: row,
    position: positionOf(at, rows.length),
  }))
}
