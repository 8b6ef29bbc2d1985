import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoWithCode } from '@forgelet/core/seed'
import { afterAll, expect, it } from 'vitest'
import { CliError } from './cli-error.ts'
import { readSeedFile } from './seed-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-seed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The error message for a file, without its folder. */
const messageFor = async (name: string, content: string) => {
  const error = await readSeedFile(file(name, content)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(CliError)
  return (error as CliError).message.replaceAll(`${folder}/`, '')
}

const yaml = `# seed data
users:
  - username: ann
    tokens: [{ secret: ann-token, expiresAt: 2030-01-31 }]
groups:
  - { path: club, members: [{ user: ann, access: owner }] }
`

it('reads YAML and JSON alike', async () => {
  const fromYaml = await readSeedFile(file('world.yaml', yaml))
  expect(fromYaml).toEqual({
    users: [{ username: 'ann', tokens: [{ secret: 'ann-token', expiresAt: '2030-01-31' }] }],
    groups: [{ path: 'club', members: [{ user: 'ann', access: 'owner' }] }],
  })
  expect(await readSeedFile(file('world.json', `\uFEFF${JSON.stringify(fromYaml)}`))).toEqual(fromYaml)
})

it('reads the demo data by its name', async () => {
  expect(await readSeedFile('demo')).toBe(demoWithCode)
})

it.each([
  ['a comma is missing', '{\n  "users": [\n    { "username": "ann" }\n    { "username": "bob" }\n  ]\n}', 4],
  ['a word is not JSON', '{\n  "users": nobody\n}', 2],
  ['the text ends early', '{\n  "users": [\n    {', 3],
  ['a short text is not JSON at all', 'users', 1],
])('reports the line of JSON in which %s', async (_, content, line) => {
  expect(await messageFor('broken.json', content)).toMatch(
    new RegExp(`^broken\\.json is not valid JSON:\\n  line ${line}: [^\n"]+$`),
  )
})

it.each([
  ['a bracket stays open', 'users:\n  - username: ann\n    tokens: [\n', 4],
  ['a key is duplicated', 'users: []\ngroups: []\nusers: []\n', 3],
  ['a tag is unknown', 'users:\n  - username: !include name.txt\n', 2],
  ['a tab indents', 'users:\n\t- username: ann\n', 2],
])('reports the line of YAML in which %s', async (_, content, line) => {
  const message = await messageFor('broken.yml', content)
  expect(message).toMatch(/^broken\.yml is not valid YAML:\n/)
  expect(message).toContain(`\n  line ${line}, column `)
})

it('reports all invalid content with its path', async () => {
  const content =
    'users:\n  - name: Ann\n  - username: 7\n  - username: bob\n    colour: red\nprojects: [{ path: 1 }]\n'
  const message = await messageFor('world.yaml', content)
  expect(message.split('\n')).toEqual([
    'world.yaml is not valid seed data:',
    '  seed.users[0].username: is missing',
    expect.stringMatching(/^ {2}seed\.users\[1\]\.username: /),
    '  seed.users[2].colour: is not known here',
    expect.stringMatching(/^ {2}seed\.projects\[0\]\.path: /),
  ])
})

it('rejects an empty and a missing file', async () => {
  expect(await messageFor('empty.yaml', '')).toMatch(/^empty\.yaml is not valid seed data:\n {2}seed: /)
  expect(await messageFor('list.yaml', '[]')).toMatch(/^list\.yaml is not valid seed data:\n {2}seed: /)
  await expect(readSeedFile(join(folder, 'nowhere.yaml'))).rejects.toThrow(/^There is no file .*nowhere\.yaml$/)
  await expect(readSeedFile(folder)).rejects.toThrow(/ cannot be read: /)
})
