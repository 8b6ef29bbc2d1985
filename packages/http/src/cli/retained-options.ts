import type { Invocation } from './invocation.ts'
import type { DataOptions, dataOptions } from './options.ts'
import { quote } from './shell-quote.ts'

/** The password of a URL must not appear in output, which is often logged. */
const withoutPassword = (text: string) => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.password !== '') url.password = '***'
  return url.href
}

/**
 * The options of the command line that select the data, for a suggested command: ` --data ./forge.db`. Variables and the default
 * configuration file apply to the suggested command as well.
 */
export const retainedOptions = ({
  options,
  sourceOf,
}: Pick<Invocation<typeof dataOptions>, 'sourceOf'> & { readonly options: DataOptions }): string =>
  (['config', 'data', 'database'] as const)
    .filter((name) => sourceOf(name) === 'cli')
    .map((name) => {
      const value = String(options[name])
      return ` --${name} ${quote(name === 'database' ? withoutPassword(value) : value)}`
    })
    .join('')
