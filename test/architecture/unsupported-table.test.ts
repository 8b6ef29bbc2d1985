import { describe, expect, test } from 'vitest'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { unsupportedTable } from '../../packages/http/src/routing/unsupported-table.ts'

describe.each(Object.entries(unsupportedTable))('%s', (line, list) => {
  const names = list.split(' ').map((entry) => entry.replace(/^!/, '').replace(/=.*$/, ''))

  test('has distinct names of parameters', () => {
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(?:[._][a-z0-9]+)*$/.test(name))).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('has no supported parameter', () => {
    const served = routes.filter((route) => `${route.method} ${route.path.replace('/api/v4', '')}` === line)
    const supported = served.flatMap((route) => getInputReader(route).fields.map(({ wire }) => wire))
    expect(names.filter((name) => supported.includes(name))).toEqual([])
  })
})
