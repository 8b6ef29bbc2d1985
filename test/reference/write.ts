import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDescriptionsFile, descriptionsPath } from './descriptions/descriptions-file.ts'
import { createOperationPages } from './descriptions/operation-pages.ts'
import { root } from './descriptions/program.ts'
import { pages } from './pages.ts'

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(path)
}

write(descriptionsPath, createDescriptionsFile())
for (const [name, page] of createOperationPages()) write(`docs/${name}`, page)
for (const [name, page] of Object.entries(pages)) write(`docs/${name}`, page())
