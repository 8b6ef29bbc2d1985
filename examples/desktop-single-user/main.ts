import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isPlatformError } from '@forgelet/core'
import { dataFolder } from './data-folder.ts'
import { openTasks } from './tasks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { label: { type: 'string', multiple: true, default: [] } },
})
const [command = 'list', ...words] = positionals

const folder = dataFolder('forgelet-tasks')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const tasks = await openTasks(join(folder, 'tasks.db'))
try {
  switch (command) {
    case 'add': {
      const { iid } = await tasks.add(words.join(' '), values.label)
      console.log(`Task ${iid}`)
      break
    }
    case 'done':
      await tasks.done(Number(words[0]))
      console.log(`Task ${words[0]} is done`)
      break
    case 'list': {
      const lines = await tasks.list(values.label[0])
      console.log(lines.length ? lines.join('\n') : 'No open tasks')
      break
    }
    default:
      throw new RangeError('Usage: add <title> [--label <name>], list [--label <name>], done <number>')
  }
} catch (error) {
  if (!isPlatformError(error) && !(error instanceof RangeError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await tasks.close()
}
