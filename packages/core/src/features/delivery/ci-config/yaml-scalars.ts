/**
 * What text without quotes means. The YAML library follows the specification; GitLab's parser, Psych, does not in these
 * cases, which pipeline files rely on:
 *
 * | Text          | Psych   | YAML 1.1 |
 * | ------------- | ------- | -------- |
 * | `y`, `n`      | text    | true     |
 * | `1e3`, `e1`   | text    | number   |
 * | `3.0` as text | `3.0`   | `3`      |
 * | `08`, `0o17`  | text    | number   |
 * | `2026-01-31`  | refused | time     |
 *
 * Dates stay text here. Source: https://github.com/ruby/psych/blob/master/lib/psych/scalar_scanner.rb
 */

const tagOf = (name: string) => `tag:yaml.org,2002:${name}`

/** Fractions are variables and versions, such as `3.0`, and no key needs one as a number: they are text as Ruby formats it. */
const formatFraction = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value))

const removeSeparators = (text: string) => text.replace(/[_,]/g, '')

/** Numbers that JavaScript cannot represent stay text. */
const toInteger = (text: string): number | string => {
  const digits = removeSeparators(text)
  const [, sign = '', prefix = '', rest = ''] = /^([-+]?)(0[bx]?)?(.*)$/.exec(digits) ?? []
  const base = { '0b': 2, '0x': 16, '0': 8 }[prefix] ?? 10
  const value = rest === '' ? 0 : Number.parseInt(rest, base)
  return Number.isSafeInteger(value) ? (sign === '-' ? -value : value) : text
}

/** `1:30:00`: seconds, or other units of 60. */
const toSexagesimal = (text: string): number => {
  const [first = '0', ...others] = removeSeparators(text.replace(/^[-+]/, '')).split(':')
  const value = others.reduce((sum, part) => sum * 60 + Number(part), Number(first))
  return text.startsWith('-') ? -value : value
}

const scalar = (name: string, test: RegExp, resolve: (text: string) => unknown) => ({
  tag: tagOf(name),
  default: true,
  test,
  resolve,
})

/** In the order in which they are tried. Other text stays as it is. */
export const plainScalarTags = [
  scalar('bool', /^(?:yes|true|on)$/i, () => true),
  scalar('bool', /^(?:no|false|off)$/i, () => false),
  scalar('int', /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}$/, toSexagesimal),
  scalar('int', /^[-+]?(?:0b[01_,]+|0[0-7_,]+|0|[1-9](?:[0-9]|[,_][0-9])*|0x[0-9a-fA-F_,]+)$/, toInteger),
  scalar('float', /^[-+]?(?:[0-9][0-9_,]*\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?$/, (text) =>
    formatFraction(Number(removeSeparators(text))),
  ),
]
