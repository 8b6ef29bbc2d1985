import { command } from './command.ts'
import { type DiagnosisOf, diagnose } from './diagnosis.ts'
import { Failure } from './failure.ts'
import { dataFlags, jsonFlag } from './options.ts'

const words = { ok: 'ok', wrong: 'WRONG', skipped: '-' } as const

const lines = (checks: readonly DiagnosisOf[]): string =>
  checks
    .flatMap(({ name, verdict, says, details }) => [
      `  ${words[verdict].padEnd(6)} ${name}: ${says}`,
      ...details.map((detail) => `           ${detail}`),
    ])
    .map((line) => `${line}\n`)
    .join('')

/** `forgelet doctor`: looks the data through and changes nothing. Exit code 1 when something is wrong. */
export const doctorCommand = command({
  name: 'doctor',
  says: 'look the data through and say what is wrong; changes nothing',
  positionals: [],
  flags: { ...jsonFlag, ...dataFlags },
  examples: ['forgelet doctor', 'forgelet doctor --data ./forge.db --json'],
  async run({ values: { json, ...data }, written }) {
    const { where, checks } = await diagnose(data, written)
    const wrong = checks.filter(({ verdict }) => verdict === 'wrong')
    if (json) {
      const report = { where, healthy: wrong.length === 0, checks }
      process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
    } else process.stdout.write(`${where}\n${lines(checks)}`)
    if (wrong.length) throw new Failure(`${wrong.length} of ${checks.length} checks found something wrong`)
  },
})
