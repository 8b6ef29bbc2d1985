import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderRepositoryStorage, isManagedStorageKey, temporaryRepositoryStorage } from './repository-storage.ts'

test('a permanent folder has unique names, is modified in place and readable by its owner only', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'forgelet-folder-')), 'repositories')
  const repositories = folderRepositoryStorage(folder)
  const storageKeys = Array.from({ length: 50 }, () => repositories.createStorageKey())
  expect(new Set(storageKeys).size).toBe(50)
  for (const storageKey of storageKeys) {
    expect(isManagedStorageKey(storageKey)).toBe(true)
    expect(repositories.directoryOf(storageKey).startsWith(`${folder}/`)).toBe(true)
    expect(repositories.canModifyInPlace(storageKey)).toBe(true)
  }
  expect(repositories.directoryOf('/srv/git/web.git')).toBe('/srv/git/web.git')
  expect(isManagedStorageKey('/srv/git/web.git')).toBe(false)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  repositories.close()
  expect(existsSync(folder)).toBe(true)
  rmSync(dirname(folder), { recursive: true })
})

test('each temporary storage modifies only its own repositories and removes them on close', async () => {
  // The folder of the process belongs to all temporary storages: other test files use that of the shared module.
  const path: string = './repository-storage.ts?alone'
  const { temporaryRepositoryStorage } = (await import(path)) as typeof import('./repository-storage.ts')
  const one = temporaryRepositoryStorage()
  const other = temporaryRepositoryStorage()
  const keys = { one: one.createStorageKey(), other: other.createStorageKey() }
  for (const key of Object.values(keys)) mkdirSync(join(one.directoryOf(key), 'objects'), { recursive: true })
  expect(other.directoryOf(keys.one)).toBe(one.directoryOf(keys.one))
  expect([one.canModifyInPlace(keys.one), other.canModifyInPlace(keys.one)]).toEqual([true, false])
  expect(one.canModifyInPlace('/srv/git/web.git')).toBe(true)
  const sharedFolder = dirname(dirname(one.directoryOf(keys.one)))
  one.close()
  expect(existsSync(one.directoryOf(keys.other))).toBe(true)
  other.close()
  expect(existsSync(sharedFolder)).toBe(false)
})

test('a shared repository is not modified in place and stays after close', () => {
  const storage = temporaryRepositoryStorage()
  const storageKey = storage.createStorageKey()
  const directory = storage.directoryOf(storageKey)
  mkdirSync(directory, { recursive: true })
  storage.markShared()
  expect(storage.canModifyInPlace(storageKey)).toBe(false)
  storage.close()
  expect(existsSync(directory)).toBe(true)
})
