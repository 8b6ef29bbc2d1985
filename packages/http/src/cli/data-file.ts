import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from './failure.ts'
import { UsageError } from './usage-error.ts'

/** What lies beside a data file and belongs to it. */
export interface DataPlace {
  readonly file: string
  /** The key of stored secrets. */
  readonly key: string
  /** The folder of the projects' repositories. */
  readonly repositories: string
}

/** The data file and its companions. */
export const dataPlace = (file: string): DataPlace => ({
  file,
  key: `${file}.key`,
  repositories: `${file}.repositories`,
})

interface Given {
  readonly data: string
  readonly database: string | undefined
}

/**
 * The place of a data file that a command works on as a file.
 *
 * @param forPostgres what to do instead, where the data is in PostgreSQL
 * @throws UsageError for PostgreSQL and for data in memory
 */
export function ownDataPlace({ data, database }: Given, written: ReadonlySet<string>, forPostgres: string): DataPlace {
  if (written.has('data') && written.has('database')) throw new UsageError('Give one of --data and --database')
  if (database !== undefined && !written.has('data')) throw new UsageError(forPostgres)
  if (data === ':memory:') throw new UsageError('Data in memory has no file')
  return dataPlace(resolve(data))
}

/** @throws Failure when there is no such data file */
export function presentDataPlace(...given: Parameters<typeof ownDataPlace>): DataPlace {
  const place = ownDataPlace(...given)
  if (!existsSync(place.file)) throw new Failure(`There is no file ${place.file}`)
  if (!statSync(place.file).isFile()) throw new Failure(`${place.file} is not a file`)
  return place
}
