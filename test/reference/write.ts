import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissionsPage } from './matrix.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'reference')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'permissions.md'), permissionsPage())
console.log('docs/reference/permissions.md')
