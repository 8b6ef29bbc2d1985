import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages } from './pages.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs')
for (const [name, page] of Object.entries(pages)) {
  writeFileSync(join(folder, name), page())
  console.log(`docs/${name}`)
}
