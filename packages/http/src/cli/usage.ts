import { styleText } from 'node:util'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { type Flag, flagName, variablesOf } from './flag.ts'

type Output = NodeJS.WritableStream

const heading = (text: string, stream: Output) => styleText('bold', text, { stream })

/** Two columns: what is typed, and what it does. */
const columns = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** What the program can do. */
export const overview = (stream: Output): string =>
  [
    'A software forge that speaks version 4 of the GitLab API, in one file.',
    '',
    `${heading('Usage', stream)}  forgelet <command> [options]`,
    '',
    heading('Commands', stream),
    ...columns(commands.map(({ name, says }) => [name, says])),
    '',
    heading('Options', stream),
    ...columns([
      ['-h, --help', 'explain a command: forgelet serve --help'],
      ['-v, --version', 'print the version'],
    ]),
    '',
    heading('Start', stream),
    '  forgelet serve --demo',
    '',
  ].join('\n')

const explained = (name: string, flag: Flag<unknown>): readonly [string, string] => {
  const fallback = flag.value !== undefined && flag.fallback !== undefined ? ` (default ${flag.fallback})` : ''
  const others = flag.environment?.length ? ` [also ${flag.environment.join(', ')}]` : ''
  return [`--${flagName(name)}${flag.value === undefined ? '' : ` ${flag.value}`}`, `${flag.says}${fallback}${others}`]
}

/** How one command is used. */
export const usageOf = ({ name, says, positionals, flags, examples }: Command, stream: Output): string => {
  const options = Object.entries(flags)
  const [first] = options
  return [
    `${says[0]?.toUpperCase()}${says.slice(1)}.`,
    '',
    `${heading('Usage', stream)}  ${['forgelet', name, ...positionals, '[options]'].join(' ')}`,
    '',
    heading('Options', stream),
    ...columns([...options.map(([option, flag]) => explained(option, flag)), ['-h, --help', 'print this']]),
    '',
    ...(first ? [`Every option is also an environment variable: ${variablesOf(...first)[0]}. Options win.`, ''] : []),
    heading('Examples', stream),
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}
