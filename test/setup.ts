import { startFile } from './support/each-file.ts'

startFile()
