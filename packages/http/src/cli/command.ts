import type { Arguments } from './arguments.ts'
import type { Flags } from './flag.ts'

/** One thing the command line can do. Its file is small: what it needs to do it is loaded by `run`. */
export interface Command<F extends Flags = Flags> {
  /** As it is typed: `token create`. */
  readonly name: string
  readonly says: string
  /** What stands after the name: `<file>`. */
  readonly positionals: readonly string[]
  readonly flags: F
  readonly examples: readonly string[]
  /** Ends when the command has done its work; what it throws ends the process. */
  run(given: Arguments<F>): Promise<void>
}

/** A command whose flags are known to `run` by their types, and to everybody else as flags. */
export const command = <F extends Flags>(given: Command<F>): Command => given as unknown as Command
