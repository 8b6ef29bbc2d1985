import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isBelowFolder, repositoriesIn, temporaryRepositories } from './repositories.ts'

test('a folder that stays: names of their own, written in place, closed to others', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'forgelet-folder-')), 'repositories')
  const repositories = repositoriesIn(folder)
  const places = Array.from({ length: 50 }, () => repositories.newPlace())
  expect(new Set(places).size).toBe(50)
  for (const place of places) {
    expect(isBelowFolder(place)).toBe(true)
    expect(repositories.directoryOf(place).startsWith(`${folder}/`)).toBe(true)
    expect(repositories.isOwn(place)).toBe(true)
  }
  expect(repositories.directoryOf('/srv/git/web.git')).toBe('/srv/git/web.git')
  expect(isBelowFolder('/srv/git/web.git')).toBe(false)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  repositories.close()
  expect(existsSync(folder)).toBe(true)
  rmSync(dirname(folder), { recursive: true })
})

test('a temporary folder: each writes what it has made itself, and leaves nothing', () => {
  const one = temporaryRepositories()
  const other = temporaryRepositories()
  const places = { one: one.newPlace(), other: other.newPlace() }
  for (const place of Object.values(places)) mkdirSync(join(one.directoryOf(place), 'objects'), { recursive: true })
  expect(other.directoryOf(places.one)).toBe(one.directoryOf(places.one))
  expect([one.isOwn(places.one), other.isOwn(places.one)]).toEqual([true, false])
  expect(one.isOwn('/srv/git/web.git')).toBe(true)
  const common = dirname(dirname(one.directoryOf(places.one)))
  one.close()
  expect(existsSync(one.directoryOf(places.other))).toBe(true)
  other.close()
  expect(existsSync(common)).toBe(false)
})

test('what copies may know is changed by nobody, and outlives whoever made it', () => {
  const one = temporaryRepositories()
  const place = one.newPlace()
  const directory = one.directoryOf(place)
  mkdirSync(directory, { recursive: true })
  one.share()
  expect(one.isOwn(place)).toBe(false)
  one.close()
  expect(existsSync(directory)).toBe(true)
})
