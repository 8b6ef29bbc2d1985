import { temporaryRepositoryStorage } from '../packages/core/src/ports/repository-storage.ts'

/** Options of a world whose host has configured these storages. */
export const withStorages = (...names: readonly string[]) => ({
  ports: { repositories: { ...temporaryRepositoryStorage(), names } },
})
