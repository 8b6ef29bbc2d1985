import { isPlatformError } from '@forgelet/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import { reportFigures } from '../figures.ts'
import { propertyRuns } from '../property-runs.ts'
import { dialect } from '../world.ts'

/** A platform and the model of its state. */
export interface ModelRun<Command> {
  /** Executes a command on both. Compares the outcomes, and returns whether the command succeeded. */
  execute(command: Command): Promise<boolean>
  /** Compares the states after the last command. */
  finish(): Promise<void>
}

interface ModelCheck<Command> {
  readonly name: string
  readonly command: fc.Arbitrary<Command>
  start(): Promise<ModelRun<Command>>
}

/** Executes random sequences of commands. PostgreSQL gets fewer, because every call costs round trips. */
export const checkModel = async <Command>({ name, command, start }: ModelCheck<Command>): Promise<void> => {
  let executed = 0
  let succeeded = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
      const run = await start()
      for (const command of commands) {
        if (await run.execute(command)) succeeded++
        executed++
      }
      await run.finish()
    }),
    propertyRuns(dialect === 'sqlite' ? 12 : 3),
  )
  reportFigures(`${name} on ${dialect}`, { commands: executed, 'of them successful': succeeded })
  expect(succeeded).toBeGreaterThan(executed / 20)
}

/** Runs a call that the model expects to succeed (undefined) or to fail with an error code. */
export const expectOutcome = async <T>(
  call: Promise<T>,
  expected: string | undefined,
  what: string,
): Promise<T | undefined> => {
  const outcome = await call.then(
    (value) => ({ value, code: undefined }),
    (error: unknown) => {
      if (!isPlatformError(error)) throw error
      return { value: undefined, code: error.code }
    },
  )
  expect(outcome.code, what).toBe(expected)
  return outcome.value
}
