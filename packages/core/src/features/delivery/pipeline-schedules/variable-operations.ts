import * as v from 'valibot'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { assertMaySetVariables } from '../pipelines/reference-permission.ts'
import type { PipelineVariable } from '../pipelines/variables.ts'
import { pipelineSchedule } from './subject.ts'
import { readScheduleVariables, writeScheduleVariables } from './variables.ts'

/** The greatest number of variables of a schedule: that of a pipeline. */
const maxVariables = 100

const Value = v.pipe(v.string(), v.maxLength(10_000))
const VariableType = v.picklist(['env_var', 'file'])

const keyInput = {
  /** Name of the variable. */
  key: v.string(),
}

const findVariable = (variables: readonly PipelineVariable[], key: string): PipelineVariable => {
  const variable = variables.find((each) => each.key === key)
  if (variable === undefined) throw notFound('Variable')
  return variable
}

/** The part of `pipelineSchedules` for the variables of its pipelines. */
export const scheduleVariables = {
  /**
   * Creates a variable of the pipelines of a schedule; stored encrypted.
   *
   * @throws PlatformError `invalid` for a taken name, and for more than 100 variables
   */
  createVariable: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.change',
    serializes: 'project',
    input: {
      /** Name: 1 to 255 letters, digits and `_`. */
      key: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255), v.regex(/^[a-zA-Z0-9_]+$/)),
      /** Value, at most 10,000 characters. */
      value: Value,
      /** `env_var` (default): an environment variable. `file`: the value is the content of a file. */
      variableType: v.optional(VariableType, 'env_var'),
    },
    async run(ctx, variable, { schedule, ...subject }): Promise<PipelineVariable> {
      await assertMaySetVariables(ctx, { ...subject, kind: 'project' })
      const variables = await readScheduleVariables(ctx, schedule.id)
      if (variables.some(({ key }) => key === variable.key)) throw invalid({ key: ['has already been taken'] })
      if (variables.length >= maxVariables)
        throw invalid({ base: [`Maximum number of variables (${maxVariables}) exceeded`] })
      await writeScheduleVariables(ctx, schedule.id, [...variables, variable])
      return variable
    },
  }),

  /** Changes a variable of the pipelines of a schedule. */
  updateVariable: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.change',
    serializes: 'project',
    input: {
      ...keyInput,
      /** New value, at most 10,000 characters. */
      value: v.optional(Value),
      /** `env_var`: an environment variable. `file`: the value is the content of a file. Default: the present one. */
      variableType: v.optional(VariableType),
    },
    rules: [atLeastOne('value', 'variableType')],
    async run(ctx, { key, value, variableType }, { schedule, ...subject }): Promise<PipelineVariable> {
      await assertMaySetVariables(ctx, { ...subject, kind: 'project' })
      const variables = await readScheduleVariables(ctx, schedule.id)
      const before = findVariable(variables, key)
      const after = { ...before, value: value ?? before.value, variableType: variableType ?? before.variableType }
      const changed = variables.map((each) => (each === before ? after : each))
      await writeScheduleVariables(ctx, schedule.id, changed)
      return after
    },
  }),

  /** Removes a variable from the pipelines of a schedule, and returns it. */
  removeVariable: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.change',
    serializes: 'project',
    input: keyInput,
    async run(ctx, { key }, { schedule }): Promise<PipelineVariable> {
      const variables = await readScheduleVariables(ctx, schedule.id)
      const removed = findVariable(variables, key)
      // The variables of a schedule have no times of their own.
      await assertRowUnmodified(ctx, 'pipelineSchedule', schedule.id)
      const others = variables.filter((each) => each !== removed)
      await writeScheduleVariables(ctx, schedule.id, others)
      return removed
    },
  }),
}
