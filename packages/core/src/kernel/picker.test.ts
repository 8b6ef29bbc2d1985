import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const source = `
  const { picker } = await import(${JSON.stringify(new URL('./picker.ts', import.meta.url).href)})
  const names = picker([
    { key: 'full_name', from: 'fullName' },
    { key: "it's \\"odd\\"", from: 'odd' },
    { key: 'both', from: '', read: ({ fullName }, extra) => fullName + extra },
  ])
  const places = picker([{ key: 'second', from: 1 }, { key: 'first', from: 0 }])
  let generates = true
  try { new Function('') } catch { generates = false }
  console.log(JSON.stringify([generates, names({ fullName: 'Ada', odd: 1, more: 2 }, '!'), places([1, 2])]))
`

const run = (...flags: string[]) =>
  JSON.parse(execFileSync(process.execPath, [...flags, '--input-type=module', '-e', source], { encoding: 'utf8' }))

const made = [
  { full_name: 'Ada', 'it\'s "odd"': 1, both: 'Ada!' },
  { second: 2, first: 1 },
]

test('what is named is made of a source, in this order', () => {
  expect(run()).toEqual([true, ...made])
})

test('hosts that forbid code to be generated get the same', () => {
  expect(run('--disallow-code-generation-from-strings')).toEqual([false, ...made])
})
