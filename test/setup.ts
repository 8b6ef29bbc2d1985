import { startFile } from './support/each-file.ts'

const { FORGELET_SQLITE_DRIVER: driver } = process.env
if (driver) (await import('@forgelet/core/maintenance')).selectSqliteDriver(driver)

startFile()
