import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CliError } from './cli-error.ts'
import { fileErrorMessage } from './file-errors.ts'
import type { Invocation } from './invocation.ts'
import type { initOptions } from './options.ts'

const seedName = 'forge-seed.json'
const schemaName = 'forge-seed.schema.json'
const testName = 'forge.test.mjs'

const starterSeed = {
  $schema: `./${schemaName}`,
  users: [
    { username: 'alice', name: 'Alice Liddell', tokens: [{ secret: 'alice-token' }] },
    { username: 'bob', name: 'Bob Builder', tokens: [{ secret: 'bob-token' }] },
  ],
  groups: [
    {
      path: 'acme',
      visibility: 'public',
      members: [
        { user: 'alice', access: 'owner' },
        { user: 'bob', access: 'developer' },
      ],
    },
  ],
  projects: [
    {
      path: 'acme/web',
      visibility: 'public',
      labels: [{ name: 'bug', color: '#D9534F' }],
      issues: [{ title: 'The home page is slow', author: 'bob', labels: ['bug'] }],
    },
  ],
}

const imports = (runner: string) => [
  ['assert', 'node:assert/strict'],
  ['{ test }', runner === 'vitest' ? 'vitest' : 'node:test'],
  ['{ fakeForge }', '@forgelet/fixtures'],
  ['seed', `./${seedName}`, ` with { type: 'json' }`],
]

const writeImport = ([name, module, attributes = '']: readonly string[]) =>
  `import ${name} from '${module}'${attributes}`

/** A test that passes as it is: the place for calls of the user's own client. */
const starterTest = (runner: string) => `${imports(runner).map(writeImport).join('\n')}

test('the client closes an issue', async () => {
  const forge = await fakeForge({ seed, port: 0 })
  try {
    const issue = \`\${forge.url}/api/v4/projects/acme%2Fweb/issues/1\`

    // Replace this request by a call of your client.
    const response = await fetch(issue, {
      method: 'PUT',
      headers: { 'PRIVATE-TOKEN': forge.tokens.bob, 'Content-Type': 'application/json' },
      body: JSON.stringify({ state_event: 'close' }),
    })

    assert.equal(response.status, 200)
    const { items } = await forge.host.issues.list({ project: 'acme/web', state: 'closed' })
    assert.equal(items[0]?.title, 'The home page is slow')
  } finally {
    await forge.close()
  }
})
`

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Vitest if the project uses it. */
const detectRunner = (): string => {
  if (!existsSync('package.json')) return 'node'
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
    return { ...dependencies, ...devDependencies }.vitest === undefined ? 'node' : 'vitest'
  } catch {
    return 'node'
  }
}

/** Writes a seed, its JSON Schema and a test. Existing files are not replaced. */
export const initCommand = async ({ args: [folder = '.'], options }: Invocation<typeof initOptions>): Promise<void> => {
  const { runner = detectRunner() } = options
  const { createSeedSchema } = await import('./seed-schema.ts')
  const files = {
    [seedName]: `${JSON.stringify(starterSeed, undefined, 2)}\n`,
    [schemaName]: `${JSON.stringify(createSeedSchema())}\n`,
    [testName]: starterTest(runner),
  }
  const paths = Object.entries(files).map(([name, text]) => ({ path: join(folder, name), text }))
  const existing = paths.find(({ path }) => existsSync(path))
  if (existing)
    throw new CliError(`${existing.path} exists already: choose another folder, such as forgelet init test/forge`)
  try {
    mkdirSync(folder, { recursive: true })
    for (const { path, text } of paths) writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw new CliError(`Files cannot be written to ${folder}: ${fileErrorMessage(error)}`)
  }
  for (const { path } of paths) process.stdout.write(`${path}\n`)
  const test = relative('.', join(folder, testName))
  process.stderr.write(
    `Next: npm install --save-dev @forgelet/fixtures, then ${runner === 'vitest' ? 'npx vitest run' : 'node --test'} ${test}\n`,
  )
}
