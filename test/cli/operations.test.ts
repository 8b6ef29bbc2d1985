import { describe, expect, it } from 'vitest'
import { forgelet } from './command-line.ts'

describe('operations', () => {
  it('describes one with its fields, routes and permissions', async () => {
    const { code, stdout, stderr } = await forgelet(['operations', 'labels.create'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^labels\.create\n {2}Creates a label /)
    expect(stdout).toContain('  POST /api/v4/projects/:id/labels\n')
    expect(stdout).toMatch(/^ {2}color +string +yes +\S.*\.$/m)
    expect(stdout).toMatch(/^ {2}description +string or null +no +\S.*\.$/m)
  })

  it('names fields as in the library, and as over HTTP if there is a route', async () => {
    const [library, http] = await Promise.all([
      forgelet(['operations', 'repository.listCodeOwners']),
      forgelet(['operations', 'members.update']),
    ])
    expect(library.stdout).toContain('none: library only')
    expect(library.stdout).toMatch(/^ {2}path +string/m)
    expect(http.stdout).toMatch(/^ {2}accessLevel +access_level +integer/m)
  })

  it('lists those of a feature, also as JSON', async () => {
    const [text, json] = await Promise.all([
      forgelet(['operations', 'labels']),
      forgelet(['operations', 'labels', '--json']),
    ])
    const names = [...text.stdout.matchAll(/^ {2}(labels\.\w+) /gm)].map(([, name]) => name)
    expect(names).toEqual(expect.arrayContaining(['labels.list', 'labels.create', 'labels.promote']))
    const operations = JSON.parse(json.stdout) as readonly { readonly name: string; readonly description: string }[]
    expect(operations.map(({ name }) => name)).toEqual(names)
    for (const { description } of operations) expect(description).toMatch(/\.$/)
  })

  it('rejects an unknown name with the existing ones', async () => {
    const { code, stderr } = await forgelet(['operations', 'labels.crate'])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no operation or feature labels.crate. Choose one of labels.list, labels.get')
  })
})
