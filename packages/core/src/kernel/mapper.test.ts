import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const source = `
  const { compileMapper } = await import(${JSON.stringify(new URL('./mapper.ts', import.meta.url).href)})
  const names = compileMapper([
    { key: 'full_name', from: 'fullName' },
    { key: "it's \\"odd\\"", from: 'odd' },
    { key: 'both', from: '', read: ({ fullName }, extra) => fullName + extra },
  ])
  const indexes = compileMapper([{ key: 'second', from: 1 }, { key: 'first', from: 0 }])
  let generates = true
  try { new Function('') } catch { generates = false }
  console.log(JSON.stringify([generates, names({ fullName: 'Ada', odd: 1, more: 2 }, '!'), indexes([1, 2])]))
`

const run = (...flags: string[]) =>
  JSON.parse(execFileSync(process.execPath, [...flags, '--input-type=module', '-e', source], { encoding: 'utf8' }))

const expected = [
  { full_name: 'Ada', 'it\'s "odd"': 1, both: 'Ada!' },
  { second: 2, first: 1 },
]

test('maps the named properties in order', () => {
  expect(run()).toEqual([true, ...expected])
})

test('returns the same result where code generation is forbidden', () => {
  expect(run('--disallow-code-generation-from-strings')).toEqual([false, ...expected])
})
