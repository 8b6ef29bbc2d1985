import { UsageError } from './usage-error.ts'

/** One option of a command: how it is written, read and explained. */
export interface Flag<T> {
  readonly says: string
  /** What stands for its value in the help: `<file>`. A switch has none. */
  readonly value?: string
  /** Environment variables that set it besides `FORGELET_<FLAG>`, asked after that one. */
  readonly environment?: readonly string[]
  /** Its value when it is not given. */
  readonly fallback: T
  /** @throws UsageError that reads on after the flag's name: `must be …` */
  readonly read: (text: string) => T
}

/** Flags by name in camelCase: `baseUrl` is written `--base-url` and `FORGELET_BASE_URL`. */
// biome-ignore lint/suspicious/noExplicitAny: flags of any value
export type Flags = Readonly<Record<string, Flag<any>>>

/** What the flags of a command were set to. */
export type Values<F extends Flags> = { readonly [N in keyof F]: F[N] extends Flag<infer T> ? T : never }

/** `baseUrl` → `base-url`. */
export const flagName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The environment variables that set a flag, the first that is set wins. */
export const variablesOf = (name: string, flag: Flag<unknown>): readonly string[] => [
  `FORGELET_${flagName(name).replaceAll('-', '_').toUpperCase()}`,
  ...(flag.environment ?? []),
]

type Given = Pick<Flag<unknown>, 'says' | 'environment'>

/** Any text. */
export const text = <F extends string | undefined>(given: Given, value: string, fallback: F): Flag<F | string> => ({
  ...given,
  value,
  fallback,
  read: (written) => written,
})

/** On or off. In the environment `1`, `true`, `yes` and `on` switch it on; `0`, `false`, `no` and `off` leave it off. */
export const toggle = (given: Given): Flag<boolean> => ({
  ...given,
  fallback: false,
  read(written) {
    const word = written.toLowerCase()
    if (['1', 'true', 'yes', 'on'].includes(word)) return true
    if (['0', 'false', 'no', 'off'].includes(word)) return false
    throw new UsageError(`must be true or false, not '${written}'`)
  },
})

/** One of a few words. */
export const choice = <const W extends string>(
  given: Given,
  words: readonly W[],
  fallback: W,
  value = words.join('|'),
): Flag<W> => ({
  ...given,
  value,
  fallback,
  read(written) {
    const found = words.find((word) => word === written)
    if (found === undefined) throw new UsageError(`must be one of ${words.join(', ')}, not '${written}'`)
    return found
  },
})

/** A TCP port; 0 stands for any free one. */
export const port = (given: Given, fallback: number): Flag<number> => ({
  ...given,
  value: '<number>',
  fallback,
  read(written) {
    if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535) {
      throw new UsageError(`must be a number from 0 to 65535, not '${written}'`)
    }
    return Number(written)
  },
})

/** A whole number within bounds. */
export const whole = (
  given: Given,
  { from, to }: { readonly from: number; readonly to: number },
  fallback: number,
  value = '<number>',
): Flag<number> => ({
  ...given,
  value,
  fallback,
  read(written) {
    const number = /^\d{1,9}$/.test(written) ? Number(written) : Number.NaN
    if (!(number >= from && number <= to))
      throw new UsageError(`must be a number from ${from} to ${to}, not '${written}'`)
    return number
  },
})

/** An absolute URL of one of the given schemes. */
export const address = (given: Given, schemes: readonly string[], placeholder: string): Flag<string | undefined> => ({
  ...given,
  value: placeholder,
  fallback: undefined,
  read(written) {
    // What was written is not repeated: it may hold a password.
    const fit = URL.canParse(written) && schemes.includes(new URL(written).protocol.slice(0, -1))
    if (!fit)
      throw new UsageError(`must be an address that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`)
    return written
  },
})

/** Words with commas between them. */
export const list = (given: Given, value: string): Flag<readonly string[] | undefined> => ({
  ...given,
  value,
  fallback: undefined,
  read: (written) =>
    written
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
})
