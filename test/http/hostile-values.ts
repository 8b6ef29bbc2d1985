const nested = (depth: number): unknown => (depth ? { a: nested(depth - 1) } : 1)

/** Text, times and numbers: the databases store, compare and reject them in different ways. */
export const databaseValues: readonly unknown[] = [
  'a\0b',
  '\ud800',
  '\u202e\u0007\r\nX-Evil: 1',
  '',
  "'; drop table user; --",
  '%_\\%',
  '-1',
  '9'.repeat(400),
  '2026-02-30',
  '+275760-09-13T00:00:00Z',
  '𝕏'.repeat(300),
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  null,
]

/** Values that break careless code, or that no parameter accepts. */
export const hostileValues: readonly unknown[] = [
  ...databaseValues,
  ' ',
  '--output=/tmp/x',
  '../../../etc/passwd',
  '__proto__',
  'javascript:alert(1)',
  '(a+)+$',
  true,
  [],
  [null],
  ['a', 1, [], {}],
  [[['a']]],
  {},
  { a: 1 },
  { __proto__: null, constructor: { prototype: { polluted: 1 } } },
  { '0': 'a', '1': 'b' },
  Array.from({ length: 1_001 }, (_, at) => at),
  nested(20),
]

export const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Percent-encodes a value. A lone surrogate is encoded as its bytes, which `encodeURIComponent` rejects. */
export const encode = (value: unknown): string =>
  asText(value) === '\ud800' ? '%ED%A0%80' : encodeURIComponent(asText(value).toWellFormed())

/** `name=value` pairs of a query or form: `name[]=…` for lists, `name[key]=…` for objects. */
export const formatPairs = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => formatPairs(`${name}[]`, item))
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => formatPairs(`${name}[${key}]`, inner))
  }
  return [`${encodeURIComponent(name)}=${value === null ? '' : encode(value)}`]
}
