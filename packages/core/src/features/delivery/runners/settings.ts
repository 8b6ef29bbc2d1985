import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { runnerAccessLevels } from './runner.ts'

/** Settings of a runner that callers set. */
export const runnerSettingsInput = {
  /** Text for people, at most 1,024 characters. */
  description: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  /** Whether the runner receives no jobs. Default of a new runner: false. */
  paused: v.optional(v.boolean()),
  /** Tags of the jobs that the runner takes, at most 50. Default of a new runner: none. */
  tagList: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))), v.maxLength(50))),
  /** Whether the runner takes jobs without tags; a runner without tags must. Default of a new runner: true. */
  runUntagged: v.optional(v.boolean()),
  /** Whether the runner cannot be enabled for other projects. Default of a new runner: false. */
  locked: v.optional(v.boolean()),
  /** `ref_protected`: only jobs of protected branches and tags. Default of a new runner: `not_protected`. */
  accessLevel: v.optional(v.picklist(runnerAccessLevels)),
  /** Most seconds of a job, from 600; null for the limit of its project. */
  maximumTimeout: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(600)))),
  /** Text for administrators, at most 1,024 characters. */
  maintenanceNote: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

/** @throws PlatformError `invalid` for a runner that could take no job */
export const assertTakesJobs = (tags: readonly string[], runUntagged: boolean): void => {
  if (!runUntagged && !tags.length)
    throw invalid({ tagList: ['can not be empty when runner is not allowed to pick untagged jobs'] })
}

/** Replaces the tags of a runner. */
export const replaceTags = async ({ db }: Context, runnerId: number, tags: readonly string[]): Promise<void> => {
  await db.deleteFrom('runnerTag').where('runnerId', '=', runnerId).execute()
  const rows = [...new Set(tags)].map((name) => ({ runnerId, name }))
  if (!rows.length) return
  await db
    .insertInto('runnerTag')
    .values(rows satisfies CompleteRow<'runnerTag'>[])
    .execute()
}

const infoFields = ['name', 'version', 'revision', 'platform', 'architecture'] as const

/** What a runner says about itself; of each part at most 255 characters. */
export const RunnerInfo = v.optional(v.pipe(v.record(v.string(), v.unknown()), v.maxEntries(100)), {})

/** The stored part of what a runner says about itself. */
export const toInfoColumns = (
  info: Readonly<Record<string, unknown>>,
): Partial<Record<(typeof infoFields)[number], string>> =>
  Object.fromEntries(
    infoFields.flatMap((field) => {
      const value = info[field]
      return typeof value === 'string' ? [[field, value.slice(0, 255)]] : []
    }),
  )
