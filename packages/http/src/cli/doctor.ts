import { CliError } from './cli-error.ts'
import { type Check, diagnose } from './diagnosis.ts'
import type { Invocation } from './invocation.ts'
import type { doctorOptions } from './options.ts'
import { printJson } from './table.ts'

const labels = { ok: 'ok', wrong: 'WRONG', skipped: '-' } as const

const lines = (checks: readonly Check[]): string =>
  checks
    .flatMap(({ name, verdict, says, details }) => [
      `  ${labels[verdict].padEnd(6)} ${name}: ${says}`,
      ...details.map((detail) => `           ${detail}`),
    ])
    .map((line) => `${line}\n`)
    .join('')

/** Prints the result of each check. The exit code is 1 if one of them fails. */
export const doctorCommand = async ({ options }: Invocation<typeof doctorOptions>): Promise<void> => {
  const { location, checks } = await diagnose(options)
  const failed = checks.filter(({ verdict }) => verdict === 'wrong')
  if (options.json) {
    const report = { where: location, healthy: failed.length === 0, checks }
    printJson(report)
  } else process.stdout.write(`${location}\n${lines(checks)}`)
  if (failed.length) throw new CliError(`${failed.length} of ${checks.length} checks failed`)
}
