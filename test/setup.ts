import { join } from 'node:path'
import { inject } from 'vitest'
import { startFile } from './support/each-file.ts'

// Programs that tests start on the sources then need half of the processor time to load them.
process.env.NODE_COMPILE_CACHE = join(inject('temporaryFolder'), 'compiled')

const { FORGELET_SQLITE_DRIVER: driver } = process.env
if (driver) (await import('@forgelet/core/maintenance')).selectSqliteDriver(driver)

startFile()
